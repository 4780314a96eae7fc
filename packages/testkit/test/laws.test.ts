import { RecordsAdapter } from "@lectern/core"
import {
  agreesWithTheReference,
  concurrentTransactionsAreSerial,
  MemoryStorage,
  pagesNeitherSkipNorRepeat,
  type Store
} from "@lectern/testkit"
import { storageLaws } from "@lectern/testkit/laws"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { tables } from "../src/laws/tables.ts"

storageLaws("MemoryStorage", (tables) => MemoryStorage.layer(tables))

/** The store in memory, with something broken. */
const broken = (breakIt: (adapter: RecordsAdapter["Service"]) => Partial<RecordsAdapter["Service"]>): Store =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...breakIt(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer(tables)))

describe("the alarm works: a store that breaks a law is found out", () => {
  it("one that undoes nothing", async () => {
    const store = broken(() => ({ transaction: (self) => self }))
    await expect(agreesWithTheReference(store)).rejects.toThrow()
    await expect(concurrentTransactionsAreSerial(store)).rejects.toThrow()
  })
  it("one that repeats the last row of a page", async () => {
    const store = broken(({ find }) => ({
      find: (table, options) =>
        options.after === undefined
          ? find(table, options)
          : Effect.map(find(table, { ...options, limit: 1000 }), (rows) => rows.slice(-2))
    }))
    await expect(pagesNeitherSkipNorRepeat(store)).rejects.toThrow()
  })
  it("one that counts rows where nothing is compared with", async () => {
    const store = broken(({ count }) => ({
      count: (table, where) => (where.op === "not" ? Effect.succeed(0) : count(table, where))
    }))
    await expect(agreesWithTheReference(store)).rejects.toThrow()
  })
  it("one that gives a number twice", async () => {
    const store = broken(({ next }) => ({ next: (...args) => Effect.map(next(...args), () => 1) }))
    await expect(concurrentTransactionsAreSerial(store)).rejects.toThrow()
  })
})
