/** What steps of wild stories are done to: numbers pick it among all that there is at that moment. */
import { Records, type Table, tables } from "@lectern/core"
import { Context, Effect } from "effect"

/** Lets time go by, in milliseconds. */
export class Passing extends Context.Service<Passing, (milliseconds: number) => Effect.Effect<void>>()(
  "@lectern/http/test/Passing"
) {}

/** Numbers that pick. */
export type Picks = readonly [number, number, number, number]

export type Row = { readonly id: string; readonly [column: string]: unknown }

export const rowsOf = (name: string) =>
  Effect.flatMap(
    Records,
    (records) =>
      records.find(
        tables.find((table) => table.name === name) as Table.AnyTable,
        {}
      ) as unknown as Effect.Effect<ReadonlyArray<Row>>
  )

/** One of the rows; what names nothing where there is none. */
export const pick = (name: string, index: number, where: (row: Row) => boolean = () => true) =>
  Effect.map(rowsOf(name), (rows): Row => {
    const some = rows.filter(where)
    return some[index % Math.max(1, some.length)] ?? { id: "nothing" }
  })

export const at = <A>(list: ReadonlyArray<A>, index: number): A | undefined =>
  list[index % Math.max(1, list.length)]
