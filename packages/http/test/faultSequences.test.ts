/** Random sequences of writes of every kind with faults, on the in-memory store and on each database. */
import { Atomicity, runs, StoreContents } from "@lectern/harness"
import { Fault } from "@lectern/testkit"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { stores } from "./stores.ts"
import { bodyOf, createFaultyWorld, type FaultyWorld } from "./support/faultyWorld.ts"
import { oneIn } from "./support/randomOperations/choices.ts"
import { nextWrite } from "./support/writes/nextWrite.ts"
import { makeDraw, makeWriter, type Write } from "./support/writes/writes.ts"

/** A write, or a run of the jobs that are due, with a fault. */
interface FaultyStep {
  /** The seed of the random write. */
  readonly seed: number
  readonly fault: Atomicity.FaultKind
  /** Selects the step of the store at which the fault occurs. */
  readonly faultAt: number
  readonly runsJobs: boolean
}

const faultyStep: fc.Arbitrary<FaultyStep> = fc.record({
  seed: fc.nat(),
  fault: fc.constantFrom(...Atomicity.faultKinds),
  faultAt: fc.nat({ max: 1_000 }),
  runsJobs: oneIn(10)
})

const sequence = (maxLength: number) => fc.array(faultyStep, { minLength: 8, maxLength, size: "max" })

/** In memory, a fault is injected at one of this many steps of a write. */
const stepsPerTrial = 4

/** The timeout of a test, in milliseconds: far longer than it takes on a busy machine. */
const timeout = 600_000 * Math.max(1, runs(1).numRuns)

/** Interrupts a property that hangs before its test times out, so that the failure prints the sequence of writes. */
const interruptible = { interruptAfterTimeLimit: timeout - 60_000, markInterruptAsFailure: true }

const send = (world: FaultyWorld, { method, path, body, token }: Write) =>
  world.send({
    method,
    path: `/v1${path}`,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token })
  })

const withoutIds = (text: string): string => text.replaceAll(/[0-9a-z]{30}/g, "<id>")

/** Whether two contents differ in ids only: a write draws other ids if a part of it was committed before the fault. */
const differInIdsOnly = (differences: ReadonlyArray<string>): boolean => {
  const linesOf = (sign: string) =>
    differences.filter((line) => line.startsWith(sign)).map((line) => withoutIds(line.slice(1)))
  return JSON.stringify(linesOf("-").sort()) === JSON.stringify(linesOf("+").sort())
}

/** Hands the response to the writer. */
const acknowledge = (write: Write, result: Parameters<typeof bodyOf>[0]) => {
  if (result.outcome === "done") write.done?.(bodyOf<never>(result))
}

it("any write is atomic under any fault, and a retry has the same result", { timeout }, () =>
  fc.assert(
    fc.asyncProperty(sequence(60), async (steps) => {
      const world = await createFaultyWorld()
      const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
      try {
        for (const { seed, fault, faultAt, runsJobs } of steps) {
          if (runsJobs) {
            expect((await Atomicity.runToEnd(world, world.runJobs)).outcome).toBe("done")
            continue
          }
          // A write that numbers events, as `createWebhook`, does so in a transaction of its own, with the jobs of these events.
          await world.numberEvents()
          const write = nextWrite({ ...writer, draw: makeDraw(seed) })
          writer.nameCount++
          const isTried = ({ number }: Fault.Step) => number % stepsPerTrial === faultAt % stepsPerTrial
          const trials = await Atomicity.tryEachFault(world, send(world, write), (step) =>
            isTried(step) ? [fault] : []
          )
          expect([write, trials.violations]).toEqual([write, []])
          expect(trials.result.outcome).not.toBe("broken")
          acknowledge(write, trials.result)
        }
        expect(await world.findings()).toEqual([])
      } finally {
        await world.close()
      }
    }),
    { ...runs(2), ...interruptible }
  )
)

for (const { name, make } of stores) {
  it(
    `any write on ${name} is atomic under any fault, and has the same result as in memory`,
    { timeout },
    () =>
      fc.assert(
        fc.asyncProperty(sequence(30), async (steps) => {
          const [reference, world] = [
            await createFaultyWorld(),
            await createFaultyWorld({ layer: await make() })
          ]
          const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
          try {
            for (const { seed, fault, faultAt, runsJobs } of steps) {
              await reference.numberEvents()
              await world.numberEvents()
              const write = nextWrite({ ...writer, draw: makeDraw(seed) })
              writer.nameCount++
              const runStep = (one: FaultyWorld) => (runsJobs ? one.runJobs : send(one, write))
              const before = await reference.readContents()
              reference.storage.takeSteps()
              const result = await Atomicity.runToEnd(reference, runStep(reference))
              const storeSteps = reference.storage.takeSteps()
              const after = await reference.readContents()
              if (runsJobs) {
                expect(await Atomicity.runToEnd(world, runStep(world))).toEqual(result)
                continue
              }
              const saved = world.save()
              const step = storeSteps[faultAt % storeSteps.length]!
              world.storage.heal()
              world.storage.takeSteps()
              const actual = await Atomicity.runToEnd(world, runStep(world), (interrupt) =>
                world.storage.inject(Atomicity.makeFault(fault, Fault.at.step(step.number), interrupt))
              )
              world.storage.heal()
              const found = await world.readContents()
              const differences = StoreContents.diffContents(after, found)
              if (withoutIds(actual.text) === withoutIds(result.text)) {
                if (!differInIdsOnly(differences)) expect([write, differences]).toEqual([write, []])
                // Later writes name resources by their ids.
                if (differences.length > 0 || actual.text !== result.text) break
              } else {
                expect([write, actual.outcome]).toEqual([
                  write,
                  fault === "interrupt" ? "interrupted" : "unavailable"
                ])
                // A write that was stored without an acknowledgment is stored completely.
                if (differences.length > 0) {
                  expect([write, StoreContents.diffContents(before, found)]).toEqual([write, []])
                  saved.rewind()
                  const retried = await Atomicity.runToEnd(world, runStep(world))
                  expect([write, retried.outcome, withoutIds(retried.text)]).toEqual([
                    write,
                    result.outcome,
                    withoutIds(result.text)
                  ])
                  const remaining = StoreContents.diffContents(after, await world.readContents())
                  if (!differInIdsOnly(remaining)) expect([write, remaining]).toEqual([write, []])
                  if (remaining.length > 0 || retried.text !== result.text) break
                }
              }
              acknowledge(write, result)
            }
            expect(await world.findings()).toEqual([])
          } finally {
            await reference.close()
            await world.close()
          }
        }),
        { ...runs(1), ...interruptible }
      )
  )
}
