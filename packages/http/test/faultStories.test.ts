/** Random stories of writes of every kind, with faults in them: on the store in memory for depth, on the others for truth. */
import { AllOrNothing, runs, StoreContents } from "@lectern/harness"
import { Fault } from "@lectern/testkit"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { stores } from "./stores.ts"
import { bodyOf, type FaultyWorld, makeWorld } from "./support/faultyWorld.ts"
import { drawing, makeWriter, nextWrite, type Write } from "./support/load.ts"

/** A write, or what waits to be done in the background; and where what goes wrong in it. */
interface Scene {
  /** What is drawn from. */
  readonly seed: number
  readonly kind: AllOrNothing.Kind
  /** At which of its steps, counted over and over. */
  readonly where: number
  readonly works: boolean
}

const scene: fc.Arbitrary<Scene> = fc.record({
  seed: fc.nat(),
  kind: fc.constantFrom(...AllOrNothing.kinds),
  where: fc.nat({ max: 1_000 }),
  works: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0)
})

const story = (maxLength: number) => fc.array(scene, { minLength: 8, maxLength, size: "max" })

/** Less than a test may take, so that what fails says with which story. */
const inTime = {
  interruptAfterTimeLimit: 90_000 * Math.max(1, runs(1).numRuns),
  markInterruptAsFailure: true
}

const sent = (world: FaultyWorld, { method, path, body }: Write) =>
  world.ask({ method, path: `/v1${path}`, ...(body === undefined ? {} : { body }) })

/** Hands what was answered to whoever wrote. */
const acknowledge = (write: Write, answer: Parameters<typeof bodyOf>[0]) => {
  if (answer.outcome === "done") write.done?.(bodyOf<never>(answer))
}

it("any write of a story happens whole or not at all, whatever fails, and comes to the same when it is tried again", () =>
  fc.assert(
    fc.asyncProperty(story(60), async (scenes) => {
      const world = await makeWorld()
      const writer = makeWriter(world.organization, "w", () => 0)
      try {
        for (const { seed, kind, where, works } of scenes) {
          if (works) {
            expect((await AllOrNothing.perform(world, world.work)).outcome).toBe("done")
            continue
          }
          const write = nextWrite({ ...writer, draw: drawing(seed) })
          writer.made++
          const isTried = ({ number }: Fault.Step) => number % 4 === where % 4
          const trials = await AllOrNothing.tryEach(world, sent(world, write), (step) =>
            isTried(step) ? [kind] : []
          )
          expect([write, trials.violations]).toEqual([write, []])
          expect(trials.answer.outcome).not.toBe("broken")
          acknowledge(write, trials.answer)
        }
        expect(await world.findings()).toEqual([])
      } finally {
        await world.close()
      }
    }),
    { ...runs(2), ...inTime }
  ))

for (const { name, make } of stores) {
  it(`any write of a story on ${name} comes to what it comes to in memory, whole or not at all`, () =>
    fc.assert(
      fc.asyncProperty(story(30), async (scenes) => {
        const [reference, world] = [await makeWorld(), await makeWorld({ layer: await make() })]
        const writer = makeWriter(world.organization, "w", () => 0)
        try {
          for (const { seed, kind, where, works } of scenes) {
            const write = nextWrite({ ...writer, draw: drawing(seed) })
            writer.made++
            const of = (one: FaultyWorld) => (works ? one.work : sent(one, write))
            const before = await reference.contents()
            reference.storage.take()
            const answer = await AllOrNothing.perform(reference, of(reference))
            const steps = reference.storage.take()
            const after = await reference.contents()
            if (works) {
              expect(await AllOrNothing.perform(world, of(world))).toEqual(answer)
              continue
            }
            const saved = world.save()
            const step = steps[where % steps.length]!
            world.storage.heal()
            world.storage.take()
            const got = await AllOrNothing.perform(world, of(world), (interrupt) =>
              world.storage.inject(AllOrNothing.faultOf(kind, Fault.at.step(step.number), interrupt))
            )
            world.storage.heal()
            const found = await world.contents()
            if (got.text === answer.text) {
              expect([write, StoreContents.differences(after, found)]).toEqual([write, []])
            } else {
              expect([write, got.outcome]).toEqual([
                write,
                kind === "interrupt" ? "interrupted" : "unavailable"
              ])
              // What has been stored though nobody was told is stored whole.
              if (StoreContents.differences(after, found).length > 0) {
                expect([write, StoreContents.differences(before, found)]).toEqual([write, []])
                saved.rewind()
                expect([write, await AllOrNothing.perform(world, of(world))]).toEqual([write, answer])
                expect([write, StoreContents.differences(after, await world.contents())]).toEqual([write, []])
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
      { ...runs(1), ...inTime }
    ))
}
