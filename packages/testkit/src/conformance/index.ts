/** The entry point `@lectern/testkit/conformance`: a vitest suite for storage adapters. */
import type { RecordsAdapter, Table } from "@lectern/core"
import type { Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type ConformanceTest, type OpenedStore, openStore, testTimeoutMs } from "./ConformanceTest.ts"
import { chunkTests } from "./chunks.ts"
import { claimTests } from "./claiming.ts"
import { concurrencyTests } from "./concurrency.ts"
import { createTablesTests } from "./creatingTables.ts"
import { generatedKeyTests } from "./generatedKeys.ts"
import { lockedTransactionTests } from "./lockedTransactions.ts"
import { paginationTests } from "./paging.ts"
import { randomStepTests } from "./randomSteps.ts"
import { conditionTests, readTests } from "./reading.ts"
import { readTransactionTests } from "./readTransactions.ts"
import { searchTests } from "./searching.ts"
import { serializabilityTests } from "./serializability.ts"
import { conformanceTables } from "./tables.ts"
import { transactionTests } from "./transactions.ts"
import { insertMissingTests, insertTests, removeTests, updateTests } from "./writing.ts"

export { type ConformanceTest, type OpenedStore, openStore, type RunEffect } from "./ConformanceTest.ts"
export { conformanceTables } from "./tables.ts"

/** The conformance tests by topic. Use them to run single tests, or to check that a broken store fails. */
export const conformanceTests = {
  conditions: conditionTests,
  reading: readTests,
  inserting: insertTests,
  "inserting missing rows": insertMissingTests,
  updating: updateTests,
  removing: removeTests,
  claiming: claimTests,
  transactions: transactionTests,
  "random steps": randomStepTests,
  pagination: paginationTests,
  searching: searchTests,
  concurrency: concurrencyTests,
  "creating tables": createTablesTests,
  serializability: serializabilityTests,
  "locked transactions": lockedTransactionTests,
  "generated keys": generatedKeyTests,
  "read transactions": readTransactionTests,
  "chunks of files": chunkTests
} as const satisfies { readonly [topic: string]: ReadonlyArray<ConformanceTest> }

/** The options of `storageConformance`. */
export interface ConformanceOptions {
  /**
   * The share of the generated cases that each property checks: 1 by default, and at least one case. For a store that
   * is tested in several configurations, of which one has all cases.
   */
  readonly caseShare?: number
}

/**
 * Declares vitest tests that a store conforms to `RecordsAdapter`. No option skips a test.
 *
 * `layer` opens a store that has the given tables; they are sorted so that each comes after the tables that it
 * references. It is called once, its layer may be built several times, and the store is closed after the tests. The
 * store may contain rows of an earlier run: each test first deletes the rows of the conformance tables.
 *
 * Each test has a timeout of 120 s. `LECTERN_TEST_RUNS` multiplies the number of generated cases, and the timeout with
 * it. A failure prints the shrunk case with its fast-check seed and path.
 *
 * @example
 * storageConformance("MyStorage", (tables) => MyStorage.layer({ tables }))
 */
export const storageConformance = (
  name: string,
  layer: (tables: ReadonlyArray<Table.AnyTable>) => Layer.Layer<RecordsAdapter, unknown>,
  { caseShare = 1 }: ConformanceOptions = {}
): void => {
  describe(`${name} conforms to RecordsAdapter`, () => {
    let store: OpenedStore
    beforeAll(() => {
      store = openStore(layer(conformanceTables))
    })
    afterAll(() => store.close(), testTimeoutMs)
    for (const [topic, tests] of Object.entries(conformanceTests)) {
      describe(topic, () => {
        for (const test of tests) it(test.name, () => test.check(store.run, caseShare), testTimeoutMs)
      })
    }
  })
}
