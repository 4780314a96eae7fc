/** What random operations are made of: named choices, drawn before, and rows that are chosen when an operation runs. */
import { type Table, tables } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Context, Effect } from "effect"
import * as fc from "fast-check"

/** Lets time pass, in milliseconds. */
export class PassTime extends Context.Service<PassTime, (milliseconds: number) => Effect.Effect<void>>()(
  "@lectern/http/test/PassTime"
) {}

/** Chooses among what exists when an operation runs: often one of the first four, so that much happens to the same. */
export const index: fc.Arbitrary<number> = fc.oneof(fc.nat(3), fc.nat(1000))

/** True in one of so many cases. */
export const oneIn = (cases: number): fc.Arbitrary<boolean> =>
  fc.nat(cases - 1).map((drawn) => drawn === cases - 1)

/** Defines an operation: what it draws, each choice by its name, and a generator that performs it with them. */
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

/** The element of a list that an index chooses, or undefined where the list is empty. */
export const elementAt = <A>(list: ReadonlyArray<A>, chosen: number): A | undefined =>
  list[chosen % Math.max(1, list.length)]

/** The row of a table that an index chooses, or the id of nothing where no row matches. */
export const rowAt = (name: string, chosen: number, where: (row: Row) => boolean = () => true) =>
  Effect.map(rowsOf(name), (rows): Row => elementAt(rows.filter(where), chosen) ?? { id: "nothing" })
