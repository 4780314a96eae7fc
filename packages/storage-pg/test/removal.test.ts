import { RecordsAdapter, ReferenceViolation, Table } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { createDatabase } from "./support.ts"

const people = Table.make("people", { columns: { id: Table.text() }, key: ["id"] })
const notes = Table.make("notes", {
  columns: { id: Table.text(), author: Table.text(), editor: Table.text() },
  key: ["id"],
  references: {
    author: { table: () => people, onRemove: "restrict" },
    editor: { table: () => people, onRemove: "cascade" }
  }
})

// With immediate constraints, PostgreSQL rejects the first removal: it checks `author` before it cascades through
// `editor`.
it("a restricting reference prevents a removal unless its row is removed by a cascade of the same removal", async () => {
  const layer = PgStorage.layer({ url: await createDatabase(), migrations: createTables([people, notes]) })
  const remove = Effect.gen(function* () {
    const store = yield* RecordsAdapter
    const person = (value: string) => store.remove(people, { op: "eq", column: "id", value })
    yield* store.insert(people, [{ id: "1" }, { id: "2" }])
    yield* store.insert(notes, [{ id: "a", author: "1", editor: "1" }])
    expect(yield* person("1")).toBe(1)
    expect(yield* store.count(notes, { op: "all" })).toBe(0)
    yield* store.insert(people, [{ id: "1" }])
    yield* store.insert(notes, [{ id: "b", author: "1", editor: "2" }])
    expect(yield* Effect.flip(person("1"))).toBeInstanceOf(ReferenceViolation)
    expect(yield* Effect.flip(store.transaction(person("1")))).toBeInstanceOf(ReferenceViolation)
    expect(yield* store.count(people, { op: "all" })).toBe(2)
  })
  await Effect.runPromise(Effect.provide(remove, layer))
})
