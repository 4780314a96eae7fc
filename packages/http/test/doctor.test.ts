/** The doctor: it reports nothing for data that the workspace wrote, and reports each kind of corruption. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  type CurrentUser,
  Doctor,
  type Finding,
  Records,
  type RecordsAdapter,
  searchParts,
  Where
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi, runScenario, scenario } from "@lectern/testkit/model"
import { Clock, Data, Effect, Fiber, type Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, ruleDatabases, ruleStores, temporaryFolder } from "./stores.ts"
import { corruptionCases } from "./support/corruptionCases/corruptionCases.ts"
import type { CorruptionCase } from "./support/corruptionCases/rows.ts"
import { PassTime } from "./support/randomOperations/choices.ts"
import { performSteps, randomSteps } from "./support/randomOperations/randomOperations.ts"
import { createSampleWorkspace, type SampleWorkspace } from "./support/sampleWorkspace.ts"

type Needed =
  | Effect.Services<typeof createSampleWorkspace>
  | Exclude<Effect.Services<ReturnType<typeof performSteps>>, CurrentUser | PassTime>
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

/** The findings of the doctor, one line each. */
const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }: Finding) => `${check}: ${table} ${row} ${message}`)
})

describe("the doctor finds nothing", () => {
  for (const { name, make } of ruleStores) {
    it(`in a workspace with a row in nearly every table, on ${name}`, async () => {
      const { core, run } = open(await make())
      try {
        await run(createSampleWorkspace)
        expect(await run(findings)).toEqual([])
      } finally {
        await core.close()
      }
    })

    it(`after random operations, on ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(randomSteps(150), async (steps) => {
          const { core, run } = open(await make())
          try {
            const workspace = await run(createSampleWorkspace)
            const program = Effect.provideService(performSteps(workspace, steps), PassTime, (millis) =>
              Effect.promise(() => core.advance(millis))
            )
            await run(program)
            expect(await run(findings)).toEqual([])
          } finally {
            await core.close()
          }
        }),
        runs(name === "memory" ? 6 : 1)
      )
    })

    it(`during and after concurrent random operations, on ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(randomSteps(60), { minLength: 4, maxLength: 4 }), async (sequences) => {
          const { core, run } = open(await make())
          const program = Effect.gen(function* () {
            const workspace = yield* createSampleWorkspace
            const operating = Effect.forEach(sequences, (steps) => performSteps(workspace, steps), {
              concurrency: "unbounded",
              discard: true
            })
            const working = yield* Effect.forkChild(
              Effect.provideService(operating, PassTime, () => Effect.void)
            )
            const found: Array<string> = []
            do {
              found.push(...(yield* findings))
            } while (working.pollUnsafe() === undefined)
            yield* Fiber.join(working)
            return [...found, ...(yield* findings)]
          })
          try {
            expect(await run(program)).toEqual([])
          } finally {
            await core.close()
          }
        }),
        runs(name === "memory" ? 2 : 1)
      )
    })

    it(`after random scenarios, on ${name}`, async () => {
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

/** Checks of invariants that stores enforce: they fail only if a store is bypassed, or its files are corrupt. */
const enforcedByStores = new Set(["references", "file-integrity"])

const findingsOf = (repair: boolean) =>
  Effect.gen(function* () {
    const events = yield* Stream.runCollect((yield* Doctor).examine({ repair }))
    return events.flatMap((event) => (event._tag === "Found" ? [event.finding] : []))
  })

const namesOf = (found: ReadonlyArray<Finding>) => [...new Set(found.map(({ check }) => check))].sort()

/** The findings for a corruption: before, during and after a repair. */
interface RepairFindings {
  readonly found: ReadonlyArray<Finding>
  readonly byRepair: ReadonlyArray<Finding>
  readonly remaining: ReadonlyArray<Finding>
}

class RolledBack extends Data.TaggedError("RolledBack")<RepairFindings> {}

/** Corrupts a workspace and examines it, in a transaction that is rolled back. */
const examineCorrupted = (
  corruption: CorruptionCase,
  workspace: SampleWorkspace
): Effect.Effect<RepairFindings, unknown, Records | Doctor> =>
  Effect.gen(function* () {
    yield* corruption.corrupt(workspace)
    const found = yield* findingsOf(false)
    const byRepair = yield* findingsOf(true)
    // If nothing was repaired, the findings remain the same.
    const remaining = byRepair.some(({ isRepaired }) => isRepaired) ? yield* findingsOf(false) : byRepair
    return yield* new RolledBack({ found, byRepair, remaining })
  }).pipe(
    (whole) => Effect.flatMap(Records, (records) => records.transaction(whole)),
    Effect.catchIf((error) => error instanceof RolledBack, Effect.succeed)
  )

/** Databases examine one of this many cases, unless more runs are requested: the checks are the same on all stores. */
const casesPerRunOnDatabases = Math.max(1, Math.floor(12 / runs(1).numRuns))

describe("each kind of corruption", () => {
  for (const { name, make, every } of [
    { ...memory, every: 1 },
    ...ruleDatabases.map((store) => ({ ...store, every: casesPerRunOnDatabases }))
  ]) {
    it(`is reported, and repaired if it is repairable, on ${name}`, async () => {
      const { core, run } = open(await make())
      try {
        const workspace = await run(createSampleWorkspace)
        const checks = new Map(
          (await run(Effect.map(Doctor, ({ checks }) => checks))).map((check) => [check.name, check])
        )
        const isRepairable = (check: string) => checks.get(check)?.repair !== undefined
        for (const corruption of corruptionCases.filter((_, index) => index % every === 0)) {
          const { found, byRepair, remaining } = await run(examineCorrupted(corruption, workspace))
          const expected = [corruption.check, ...(corruption.alsoReportedBy ?? [])].sort()
          expect
            .soft(namesOf(found), `${corruption.check}: ${JSON.stringify(found, null, 1)}`)
            .toEqual(expected)
          expect
            .soft(found.filter((one) => one.isRepairable !== isRepairable(one.check) || one.isRepaired))
            .toEqual([])
          // A repair changes only derived data, and its findings do not recur. It can also repair a later finding.
          expect.soft(namesOf(byRepair), corruption.check).toContain(corruption.check)
          expect.soft(expected, corruption.check).toEqual(expect.arrayContaining(namesOf(byRepair)))
          expect
            .soft(
              byRepair.filter((one) => one.isRepaired !== one.isRepairable),
              corruption.check
            )
            .toEqual([])
          expect.soft(remaining, corruption.check).toEqual(found.filter((one) => !one.isRepairable))
        }
        expect(await run(findings)).toEqual([])
      } finally {
        await core.close()
      }
    })
  }

  it("is repaired in one run together with others", async () => {
    const { core, run } = open(await memory.make())
    try {
      const workspace = await run(createSampleWorkspace)
      const checks = await run(Effect.map(Doctor, ({ checks }) => checks))
      const repairable = new Set(checks.flatMap(({ name, repair }) => (repair === undefined ? [] : [name])))
      const repairableCases = corruptionCases.filter(({ check, alsoReportedBy = [] }) =>
        [check, ...alsoReportedBy].every((name) => repairable.has(name))
      )
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(repairableCases, { minLength: 2, maxLength: 12 }),
          async (selected) => {
            const corruptAll = Effect.forEach(selected, ({ corrupt }) => Effect.exit(corrupt(workspace)))
            const { byRepair, remaining } = await run(
              examineCorrupted({ check: "", corrupt: () => corruptAll }, workspace)
            )
            expect(byRepair.filter(({ isRepaired }) => !isRepaired)).toEqual([])
            expect(remaining).toEqual([])
          }
        ),
        runs(20)
      )
    } finally {
      await core.close()
    }
  })

  it("of the search index is reported by a quick run, except in the text of pages", async () => {
    const { core, run } = open(await memory.make())
    const quickChecks = Effect.gen(function* () {
      const events = yield* Stream.runCollect((yield* Doctor).examine({ quick: true }))
      return events.flatMap((event) => (event._tag === "Found" ? [event.finding.check] : []))
    })
    try {
      const { space } = await run(createSampleWorkspace)
      expect(await run(quickChecks)).toEqual([])
      const change = (columns: { readonly body?: string; readonly path?: string }) =>
        run(
          Effect.flatMap(allRecords, (records) =>
            records.update(searchParts, Where.eq("space", space as never), columns)
          )
        )
      await change({ body: "x" })
      expect(await run(quickChecks)).toEqual([])
      await change({ path: "x" })
      expect(await run(quickChecks)).toEqual(["search-index"])
    } finally {
      await core.close()
    }
  })

  it("includes dangling references, which stores prevent", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    const { core, run } = open(SqliteStorage.layer({ filename }))
    try {
      const { team } = await run(createSampleWorkspace)
      const database = new DatabaseSync(filename, { enableForeignKeyConstraints: false })
      database.prepare("DELETE FROM teams WHERE id = ?").run(team)
      database.close()
      const found = await run(findingsOf(true))
      expect(new Set(found.map(({ check, table }) => `${check} ${table}`))).toEqual(
        new Set([
          "references teamMembers",
          "references grants",
          "saml-default-team samlProviders",
          "oidc-teams oidcProviders"
        ])
      )
      expect(found.filter(({ isRepaired }) => isRepaired)).toEqual([])
    } finally {
      await core.close()
    }
  })

  it("has a case for each check", async () => {
    const { core, run } = open(await memory.make())
    const checks = await run(Effect.map(Doctor, ({ checks }) => checks))
    const covered = new Set([...corruptionCases.map(({ check }) => check), ...enforcedByStores])
    expect(checks.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    await core.close()
  })
})
