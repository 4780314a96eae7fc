/** The parts of random operations: choices that fast-check generates, and rows that are selected when an operation runs. */
import { type Table, tables } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Context, Effect } from "effect"
import * as fc from "fast-check"

/** Advances the clock by a number of milliseconds. */
export class PassTime extends Context.Service<PassTime, (milliseconds: number) => Effect.Effect<void>>()(
  "@lectern/http/test/PassTime"
) {}

/** An index into the rows that exist when an operation runs. Low indexes are frequent, so that operations affect the same rows. */
export const index: fc.Arbitrary<number> = fc.oneof(fc.nat(3), fc.nat(1000))

/** True in one of `cases` cases. */
export const oneIn = (cases: number): fc.Arbitrary<boolean> =>
  fc.nat(cases - 1).map((drawn) => drawn === cases - 1)

/** Defines an operation by its named choices and a generator that performs it. */
export const operation = <A extends object, Eff extends Effect.Effect<unknown, unknown, unknown>>(
  choices: { readonly [K in keyof A]: fc.Arbitrary<A[K]> },
  body: (choices: A) => Generator<Eff, void, never>
) => ({ choices: fc.record(choices) as fc.Arbitrary<A>, perform: Effect.fnUntraced(body) })

export type Row = { readonly id: string; readonly [column: string]: unknown }

/** All rows of a table. */
export const rowsOf = (name: string) =>
  Effect.flatMap(
    allRecords,
    (records) =>
      records.find(
        tables.find((table) => table.name === name) as Table.AnyTable,
        {}
      ) as unknown as Effect.Effect<ReadonlyArray<Row>>
  )

/** The element of a list at an index modulo its length; undefined if the list is empty. */
export const elementAt = <A>(list: ReadonlyArray<A>, chosen: number): A | undefined =>
  list[chosen % Math.max(1, list.length)]

/** The row of a table at an index modulo their number; a missing id if no row matches. */
export const rowAt = (name: string, chosen: number, where: (row: Row) => boolean = () => true) =>
  Effect.map(rowsOf(name), (rows): Row => elementAt(rows.filter(where), chosen) ?? { id: "nothing" })
