/** The doctor: it finds nothing wrong with what the product makes, and finds each kind of damage that is done to it. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  type CurrentUser,
  Doctor,
  type Finding,
  Records,
  type RecordsAdapter,
  searchPages,
  Where
} from "@lectern/core"
import { makeCoreApi, runScenario, runs, scenario } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Clock, Data, Effect, Fiber, type Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, stores, temporaryFolder } from "./stores.ts"
import { damages } from "./support/damages/all.ts"
import type { Damage } from "./support/damages/tools.ts"
import { type Furnished, furnish } from "./support/furnished.ts"
import { Passing } from "./support/wild/picks.ts"
import { playWildly, wildStory } from "./support/wild/story.ts"

type Needed =
  | Effect.Services<typeof furnish>
  | Exclude<Effect.Services<ReturnType<typeof playWildly>>, CurrentUser | Passing>
  | Doctor
  | Records

const open = (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const core = makeCoreApi(storage)
  const run = <A, E>(effect: Effect.Effect<A, E, Needed>): Promise<A> =>
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

    it(`is told so whatever is done in it, on ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(wildStory(150), async (steps) => {
          const { core, run } = open(await make())
          try {
            const furnished = await run(furnish)
            const played = Effect.provideService(playWildly(furnished, steps), Passing, (millis) =>
              Effect.promise(() => core.advance(millis))
            )
            await run(played)
            expect(await run(findings)).toEqual([])
          } finally {
            await core.close()
          }
        }),
        runs(name === "memory" ? 6 : 1)
      )
    })

    it(`is told so while and after several work in it at once, on ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(wildStory(60), { minLength: 4, maxLength: 4 }), async (stories) => {
          const { core, run } = open(await make())
          const played = Effect.gen(function* () {
            const furnished = yield* furnish
            const playing = Effect.forEach(stories, (story) => playWildly(furnished, story), {
              concurrency: "unbounded",
              discard: true
            })
            const working = yield* Effect.forkChild(
              Effect.provideService(playing, Passing, () => Effect.void)
            )
            const found: Array<string> = []
            do {
              found.push(...(yield* findings))
            } while (working.pollUnsafe() === undefined)
            yield* Fiber.join(working)
            return [...found, ...(yield* findings)]
          })
          try {
            expect(await run(played)).toEqual([])
          } finally {
            await core.close()
          }
        }),
        runs(name === "memory" ? 2 : 1)
      )
    })

    it(`is told so after stories, on ${name}`, async () => {
      const { core, run } = open(await make())
      let played = 0
      try {
        await fc.assert(
          fc.asyncProperty(scenario(30), async (steps) => {
            await runScenario(core, `doctor-${played++}`, steps)
            expect(await run(findings)).toEqual([])
          }),
          runs(name === "memory" ? 3 : 1)
        )
      } finally {
        await core.close()
      }
    })
  }
})

/** Checks that stores see to, so that it takes another way around them to see these fail. */
const guarded = new Set(["references"])

const examined = (repair: boolean) =>
  Effect.gen(function* () {
    const events = yield* Stream.runCollect((yield* Doctor).examine({ repair }))
    return events.flatMap((event) => (event._tag === "Found" ? [event.finding] : []))
  })

const namesOf = (found: ReadonlyArray<Finding>) => [...new Set(found.map(({ check }) => check))].sort()

/** What was found of damage: before a repair, by it, and after it. */
interface Seen {
  readonly seen: ReadonlyArray<Finding>
  readonly mended: ReadonlyArray<Finding>
  readonly left: ReadonlyArray<Finding>
}

class Undone extends Data.TaggedError("Undone")<Seen> {}

/** Does damage, and has it examined, in a transaction of which nothing is left. */
const tried = (damage: Damage, furnished: Furnished): Effect.Effect<Seen, unknown, Records | Doctor> =>
  Effect.gen(function* () {
    yield* damage.done(furnished)
    const seen = yield* examined(false)
    const mended = yield* examined(true)
    // Where nothing was put right, what is left was just told.
    const left = mended.some(({ isRepaired }) => isRepaired) ? yield* examined(false) : mended
    return yield* new Undone({ seen, mended, left })
  }).pipe(
    (whole) => Effect.flatMap(Records, (records) => records.transaction(whole)),
    Effect.catchIf((error) => error instanceof Undone, Effect.succeed)
  )

/** On databases only some of the damage is done, unless there is time: what is looked at is the same on all stores. */
const seldom = Math.max(1, Math.floor(12 / runs(1).numRuns))

describe("each kind of damage", () => {
  for (const { name, make, every } of [
    { ...memory, every: 1 },
    ...stores.map((store) => ({ ...store, every: seldom }))
  ]) {
    it(`is found, and what can be put right is put right, on ${name}`, async () => {
      const { core, run } = open(await make())
      try {
        const furnished = await run(furnish)
        const checks = new Map(
          (await run(Effect.map(Doctor, ({ checks }) => checks))).map((check) => [check.name, check])
        )
        const isRepairable = (check: string) => checks.get(check)?.repair !== undefined
        for (const damage of damages.filter((_, index) => index % every === 0)) {
          const { seen, mended, left } = await run(tried(damage, furnished))
          const expected = [damage.check, ...(damage.also ?? [])].sort()
          expect.soft(namesOf(seen), `${damage.check}: ${JSON.stringify(seen, null, 1)}`).toEqual(expected)
          expect
            .soft(seen.filter((one) => one.isRepairable !== isRepairable(one.check) || one.isRepaired))
            .toEqual([])
          // A repair leaves what people wrote, and what it puts right is right then.
          expect.soft(namesOf(mended), damage.check).toEqual(expected)
          expect
            .soft(
              mended.filter((one) => one.isRepaired !== one.isRepairable),
              damage.check
            )
            .toEqual([])
          expect.soft(left, damage.check).toEqual(seen.filter((one) => !one.isRepairable))
        }
        expect(await run(findings)).toEqual([])
      } finally {
        await core.close()
      }
    })
  }

  it("is put right together with other damage, by one repair", async () => {
    const { core, run } = open(await memory.make())
    try {
      const furnished = await run(furnish)
      const checks = await run(Effect.map(Doctor, ({ checks }) => checks))
      const repairable = new Set(checks.flatMap(({ name, repair }) => (repair === undefined ? [] : [name])))
      const some = damages.filter(({ check, also = [] }) =>
        [check, ...also].every((name) => repairable.has(name))
      )
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(some, { minLength: 2, maxLength: 12 }), async (several) => {
          const done = Effect.forEach(several, ({ done }) => Effect.exit(done(furnished)))
          const { mended, left } = await run(tried({ check: "", done: () => done }, furnished))
          expect(mended.filter(({ isRepaired }) => !isRepaired)).toEqual([])
          expect(left).toEqual([])
        }),
        runs(20)
      )
    } finally {
      await core.close()
    }
  })

  it("is looked for quickly in what is found of pages, but for their words", async () => {
    const { core, run } = open(await memory.make())
    const quickly = Effect.gen(function* () {
      const events = yield* Stream.runCollect((yield* Doctor).examine({ quick: true }))
      return events.flatMap((event) => (event._tag === "Found" ? [event.finding.check] : []))
    })
    try {
      const { space } = await run(furnish)
      expect(await run(quickly)).toEqual([])
      const change = (columns: { readonly body?: string; readonly path?: string }) =>
        run(
          Effect.flatMap(Records, (records) =>
            records.update(searchPages, Where.eq("space", space as never), columns)
          )
        )
      await change({ body: "x" })
      expect(await run(quickly)).toEqual([])
      await change({ path: "x" })
      expect(await run(quickly)).toEqual(["search-index"])
    } finally {
      await core.close()
    }
  })

  it("is found too where a row names one that is not there, which stores do not let happen", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    const { core, run } = open(SqliteStorage.layer({ filename }))
    try {
      const { team } = await run(furnish)
      const database = new DatabaseSync(filename, { enableForeignKeyConstraints: false })
      database.prepare("DELETE FROM teams WHERE id = ?").run(team)
      database.close()
      const found = await run(examined(true))
      expect(new Set(found.map(({ check, table }) => `${check} ${table}`))).toEqual(
        new Set(["references teamMembers", "references grants", "saml-default-team samlProviders"])
      )
      expect(found.filter(({ isRepaired }) => isRepaired)).toEqual([])
    } finally {
      await core.close()
    }
  })

  it("is done by a test, for each check that there is", async () => {
    const { core, run } = open(await memory.make())
    const checks = await run(Effect.map(Doctor, ({ checks }) => checks))
    const tried = new Set([...damages.map(({ check }) => check), ...guarded])
    expect(checks.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    await core.close()
  })
})
