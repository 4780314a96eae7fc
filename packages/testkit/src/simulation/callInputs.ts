/**
 * The inputs of a call besides the store: ids, random bytes and the time. They are recorded, so that a serial execution of the
 * same call receives the same.
 */
import { Clock, Context, Effect, Fiber } from "effect"
import type { SeededRandom } from "./random/SeededRandom.ts"

/** The values that a part of a call has received, in order. */
export interface ReceivedValues {
  readonly ids: Array<string>
  readonly bytes: Array<Uint8Array>
}

/** Returns a part without values. */
export const receivedNothing = (): ReceivedValues => ({ ids: [], bytes: [] })

/** The recorded inputs of a call. */
export interface RecordedInputs {
  /** The values outside of transactions. */
  readonly outside: ReceivedValues
  /** The values in the last transaction that was committed. */
  committed: ReceivedValues
  /** The values in the open transaction; undefined outside of transactions. */
  open: ReceivedValues | undefined
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

/** Returns the next value of a call: the replayed one, or a new one. */
const receive = <A>(
  fiber: Fiber.Fiber<unknown, unknown> | undefined,
  valuesOf: (part: ReceivedValues) => Array<A>,
  generate: () => A
): A => {
  const call = fiber?.getRef(CurrentCall)
  if (call === undefined) return generate()
  const { recorded, replayed } = call
  const values = valuesOf(recorded.open ?? recorded.outside)
  const former =
    replayed === undefined
      ? []
      : valuesOf(recorded.open === undefined ? replayed.outside : replayed.committed)
  const value = former[values.length] ?? generate()
  values.push(value)
  return value
}

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
      const generate = () => nextId(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
      return Effect.succeed(receive(fiber, ({ ids }) => ids, generate))
    }),
    getRandomValues: (bytes) => {
      const generate = () => bytes.map(() => random.below(256))
      const received = receive(Fiber.getCurrent(), (part) => part.bytes, generate)
      bytes.set(received.length === bytes.length ? received : generate())
      return bytes
    }
  }
}
