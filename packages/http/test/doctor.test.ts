/** The doctor: it finds nothing wrong with what the product makes, and finds each kind of damage that is done to it. */
import { Doctor, type Finding, type RecordsAdapter } from "@lectern/core"
import { CoreApi, play, runs, story } from "@lectern/testkit"
import { Clock, Effect, type Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { furnish } from "./support/furnished.ts"

const open = (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const core = CoreApi.make(storage)
  const run = <A, E>(effect: Effect.Effect<A, E, Effect.Services<typeof furnish> | Doctor>): Promise<A> =>
    core.runtime.runPromise(
      Effect.provideService(effect, Clock.Clock, core.clock) as Effect.Effect<A, E, never>
    )
  return { core, run }
}

/** What the doctor says, in a few words each. */
const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }: Finding) => `${check}: ${table} ${row} ${message}`)
})

describe("a workspace in which nothing is wrong", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`is told so, with some of everything in it, on ${name}`, async () => {
      const { core, run } = open(await make())
      try {
        await run(furnish)
        expect(await run(findings)).toEqual([])
      } finally {
        await core.close()
      }
    })

    it(`is told so after stories, on ${name}`, async () => {
      const { core, run } = open(await make())
      let played = 0
      try {
        await fc.assert(
          fc.asyncProperty(story(30), async (steps) => {
            await play(core, `doctor-${played++}`, steps)
            expect(await run(findings)).toEqual([])
          }),
          runs(3)
        )
      } finally {
        await core.close()
      }
    })
  }
})
