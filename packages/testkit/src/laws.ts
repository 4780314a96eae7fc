/**
 * The laws of the storage port, for whoever writes an adapter. Each sentence of the port's comments is one, and
 * each is checked on every store alike: there is no way to leave one out.
 */
import type { RecordsAdapter, Table } from "@lectern/core"
import type { Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Law, type Opened, open } from "./storage/laws/Law.ts"
import { storyLaws } from "./storage/laws/stories.ts"
import { lawTables } from "./storage/laws/tables.ts"

export { type Law, type Opened, open, type Run } from "./storage/laws/Law.ts"
export { lawTables } from "./storage/laws/tables.ts"

/** The laws, by what they are about: to be checked by another test runner, or on a store that must not pass. */
export const laws: { readonly [about: string]: ReadonlyArray<Law> } = {
  stories: storyLaws
}

/**
 * Declares tests, for vitest, that a store keeps to the laws of `RecordsAdapter`. `layer` makes a store that has the
 * tables it is given, each behind those that it refers to; it is asked once, and the store is closed after the
 * tests. The laws empty the tables for themselves.
 *
 * `LECTERN_TEST_RUNS` multiplies how many cases are generated. What fails prints its case, with the seed and path
 * of fast-check.
 */
export const storageLaws = (
  name: string,
  layer: (tables: ReadonlyArray<Table.AnyTable>) => Layer.Layer<RecordsAdapter, unknown>
): void => {
  describe(`${name} keeps to the laws of storage`, () => {
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
