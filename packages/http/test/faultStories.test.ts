/** Random sequences of writes of every kind, with faults: many on the store in memory, the same on each database. */
import { Atomicity, runs, StoreContents } from "@lectern/harness"
import { Fault } from "@lectern/testkit"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { stores } from "./stores.ts"
import { bodyOf, type FaultyWorld, makeWorld } from "./support/faultyWorld.ts"
import { oneIn } from "./support/randomOperations/choices.ts"
import { nextWrite } from "./support/writes/nextWrite.ts"
import { makeDraw, makeWriter, type Write } from "./support/writes/writes.ts"

/** A write, or a run of the jobs that are due; and the fault that it meets. */
interface FaultyStep {
  /** The write is drawn from this seed. */
  readonly seed: number
  readonly fault: Atomicity.FaultKind
  /** Chooses the step of the store at which the fault occurs. */
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

/** In memory a fault is tried at one in so many steps of a write. */
const stepsPerTrial = 4

/** How long a test may take, in milliseconds: far longer than it does on a busy machine. */
const timeout = 600_000 * Math.max(1, runs(1).numRuns)

/** Interrupts a property that hangs before its test times out, so that the failure prints the sequence of writes. */
const interruptible = { interruptAfterTimeLimit: timeout - 60_000, markInterruptAsFailure: true }

const send = (world: FaultyWorld, { method, path, body, token }: Write) =>
  world.ask({
    method,
    path: `/v1${path}`,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token })
  })

/** Hands the response to the writer. */
const acknowledge = (write: Write, answer: Parameters<typeof bodyOf>[0]) => {
  if (answer.outcome === "done") write.done?.(bodyOf<never>(answer))
}

it("any write is atomic whatever fails, and has the same result when it is retried", { timeout }, () =>
  fc.assert(
    fc.asyncProperty(sequence(60), async (steps) => {
      const world = await makeWorld()
      const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
      try {
        for (const { seed, fault, faultAt, runsJobs } of steps) {
          if (runsJobs) {
            expect((await Atomicity.runToEnd(world, world.work)).outcome).toBe("done")
            continue
          }
          const write = nextWrite({ ...writer, draw: makeDraw(seed) })
          writer.names++
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
  it(`any write on ${name} is atomic, and has the result that it has in memory`, { timeout }, () =>
    fc.assert(
      fc.asyncProperty(sequence(30), async (steps) => {
        const [reference, world] = [await makeWorld(), await makeWorld({ layer: await make() })]
        const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
        try {
          for (const { seed, fault, faultAt, runsJobs } of steps) {
            const write = nextWrite({ ...writer, draw: makeDraw(seed) })
            writer.names++
            const of = (one: FaultyWorld) => (runsJobs ? one.work : send(one, write))
            const before = await reference.readContents()
            reference.storage.takeSteps()
            const answer = await Atomicity.runToEnd(reference, of(reference))
            const storeSteps = reference.storage.takeSteps()
            const after = await reference.readContents()
            if (runsJobs) {
              expect(await Atomicity.runToEnd(world, of(world))).toEqual(answer)
              continue
            }
            const saved = world.save()
            const step = storeSteps[faultAt % storeSteps.length]!
            world.storage.heal()
            world.storage.takeSteps()
            const got = await Atomicity.runToEnd(world, of(world), (interrupt) =>
              world.storage.inject(Atomicity.makeFault(fault, Fault.at.step(step.number), interrupt))
            )
            world.storage.heal()
            const found = await world.readContents()
            if (got.text === answer.text) {
              expect([write, StoreContents.diffContents(after, found)]).toEqual([write, []])
            } else {
              expect([write, got.outcome]).toEqual([
                write,
                fault === "interrupt" ? "interrupted" : "unavailable"
              ])
              // What was stored without an acknowledgment is stored completely.
              if (StoreContents.diffContents(after, found).length > 0) {
                expect([write, StoreContents.diffContents(before, found)]).toEqual([write, []])
                saved.rewind()
                expect([write, await Atomicity.runToEnd(world, of(world))]).toEqual([write, answer])
                expect([write, StoreContents.diffContents(after, await world.readContents())]).toEqual([
                  write,
                  []
                ])
              }
            }
            acknowledge(write, answer)
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
