/** Plays random operations on a store and on the one in memory, which is plain enough to be believed. */
import type { RecordsAdapter } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, type Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { operations, run } from "./operations.ts"
import { tables } from "./tables.ts"

export const sameAsMemory = async (
  layer: Layer.Layer<RecordsAdapter, unknown>,
  numRuns: number
): Promise<void> => {
  const runtime = ManagedRuntime.make(layer)
  try {
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const expected = await Effect.runPromise(Effect.provide(run(list), MemoryStorage.layer(tables)))
        expect(await runtime.runPromise(run(list))).toEqual(expected)
      }),
      { numRuns }
    )
  } finally {
    await runtime.dispose()
  }
}
