/**
 * The laws of the storage port, for whoever writes an adapter. Each sentence of the port's comments is one, and
 * each is checked on every store alike: there is no way to leave one out.
 */
import type { RecordsAdapter, Table } from "@lectern/core"
import type { Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { concurrencyLaws } from "./storage/laws/concurrency.ts"
import { type Law, type Opened, open } from "./storage/laws/Law.ts"
import { pagingLaws } from "./storage/laws/paging.ts"
import { conditionLaws, readingLaws } from "./storage/laws/reading.ts"
import { searchLaws } from "./storage/laws/searching.ts"
import { serialLaws } from "./storage/laws/serial.ts"
import { storyLaws } from "./storage/laws/stories.ts"
import { lawTables } from "./storage/laws/tables.ts"
import { transactionLaws } from "./storage/laws/transactions.ts"
import { insertLaws, insertMissingLaws, removeLaws, updateLaws } from "./storage/laws/writing.ts"

export { type Law, type Opened, open, type Run } from "./storage/laws/Law.ts"
export { lawTables } from "./storage/laws/tables.ts"

/** The laws, by what they are about: to be checked one by one, or on a store that must not pass. Within vitest. */
export const laws = {
  conditions: conditionLaws,
  reading: readingLaws,
  inserting: insertLaws,
  "inserting what is missing": insertMissingLaws,
  updating: updateLaws,
  removing: removeLaws,
  transactions: transactionLaws,
  stories: storyLaws,
  pages: pagingLaws,
  searching: searchLaws,
  "many at once": concurrencyLaws,
  "any transactions at once": serialLaws
} as const satisfies { readonly [about: string]: ReadonlyArray<Law> }

/**
 * Declares tests, for vitest, that a store keeps to the laws of `RecordsAdapter`. `layer` makes a store that has the
 * tables it is given, each behind those that it refers to; it is asked once, the layer may be built several times,
 * and what it opens is closed after the tests. Its rows may be those of an earlier run, for each law begins by
 * removing them.
 *
 * `LECTERN_TEST_RUNS` multiplies how many cases are generated. What fails prints its case, with the seed and path
 * of fast-check.
 *
 * @example
 * storageLaws("my adapter", (tables) => MyStorage.layer({ tables }))
 */
export const storageLaws = (
  name: string,
  layer: (tables: ReadonlyArray<Table.AnyTable>) => Layer.Layer<RecordsAdapter, unknown>
): void => {
  describe(`${name} keeps the laws of storage`, () => {
    let store: Opened
    beforeAll(() => {
      store = open(layer(lawTables))
    })
    afterAll(() => store.close())
    for (const [about, ofIt] of Object.entries(laws)) {
      describe(about, () => {
        for (const law of ofIt) it(law.name, () => law.check(store.run))
      })
    }
  })
}
