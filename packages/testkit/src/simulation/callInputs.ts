/**
 * What a call receives from outside of the store: ids, random bytes and the time. They are recorded, so that a serial execution of the
 * same call receives the same.
 */
import { Clock, Context, Effect, Fiber } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"

/** The recorded inputs of a call. */
export interface RecordedInputs {
  /** The ids that the call has generated, without those of attempts that were rolled back. */
  readonly ids: Array<string>
  /** The random bytes of the call, likewise. */
  readonly bytes: Array<Uint8Array>
  /** The time, in milliseconds since 1970. It does not change during an attempt. */
  timeMs: number
}

/** The inputs of the call of a fiber; undefined for background work. */
export const CurrentCall = Context.Reference<
  { readonly recorded: RecordedInputs; readonly replayed: RecordedInputs | undefined } | undefined
>("@lectern/testkit/simulation/CurrentCall", { defaultValue: () => undefined })

/** Generates what calls receive. */
export interface CallInputs {
  readonly nextId: Effect.Effect<string>
  readonly getRandomValues: (bytes: Uint8Array) => Uint8Array
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The numbers of characters of the time, the sequence number and the random part of an id, as `Ids` generates them. */
const timeLength = 10
const sequenceLength = 3
const randomLength = 17

const encode = (value: number, width: number): string => {
  let rest = value
  let text = ""
  for (let index = 0; index < width; index++) {
    text = alphabet[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

const callOf = (fiber: Fiber.Fiber<unknown, unknown> | undefined) => fiber?.getRef(CurrentCall)

/** Creates the generators of a process. */
export const makeInputs = (random: SeededRandom): CallInputs => {
  let last = 0
  let sequence = 0
  // The ids of a process sort by the time of their generation.
  const nextId = (timeMs: number): string => {
    sequence = timeMs > last ? 0 : sequence + 1
    last = Math.max(timeMs, last)
    let id = encode(last, timeLength) + encode(sequence, sequenceLength)
    for (let index = 0; index < randomLength; index++) id += alphabet[random.below(32)]!
    return id
  }
  return {
    nextId: Effect.withFiber((fiber) => {
      const call = callOf(fiber)
      const recorded = call?.replayed?.ids[call.recorded.ids.length]
      const id = recorded ?? nextId(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
      call?.recorded.ids.push(id)
      return Effect.succeed(id)
    }),
    getRandomValues: (bytes) => {
      const call = callOf(Fiber.getCurrent())
      const recorded = call?.replayed?.bytes[call.recorded.bytes.length]
      if (recorded !== undefined && recorded.length === bytes.length) bytes.set(recorded)
      else for (let index = 0; index < bytes.length; index++) bytes[index] = random.below(256)
      call?.recorded.bytes.push(bytes.slice())
      return bytes
    }
  }
}
