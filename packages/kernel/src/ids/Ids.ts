/** Generates ids. */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Lower-case Crockford Base32: it sorts by value and has no look-alike characters. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The numbers of characters of the timestamp (50 bits of milliseconds), the sequence number and the random part. */
const timeLength = 10
const sequenceLength = 3
const randomLength = 17

/** The latest time that a timestamp can state, in milliseconds since the epoch. */
const latestTime = 8_640_000_000_000_000

/** The methods of {@link Ids}. */
export interface IdsService {
  /** Generates an id. */
  readonly next: Effect.Effect<string>
}

/** Generates the ids of a workspace instead of its own generator; none by default. A simulation sets it. */
export const IdGenerator = Context.Reference<Effect.Effect<string> | undefined>("@lectern/core/IdGenerator", {
  defaultValue: () => undefined
})

/**
 * Generates ids of 30 URL-safe characters, which sort by creation time and have 85 unguessable random bits. Ids of one
 * process are strictly increasing, also within one millisecond.
 */
export class Ids extends Context.Service<Ids, IdsService>()("@lectern/core/Ids") {
  static readonly layer: Layer.Layer<Ids> = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const generator = yield* IdGenerator
      if (generator !== undefined) return Ids.of({ next: generator })
      const random = yield* SecureRandom.SecureRandom
      let last = 0
      let sequence = 0
      return Ids.of({
        next: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          sequence = now > last ? 0 : sequence + 1
          last = Math.max(now, last)
          const bytes = yield* random.randomBytes(randomLength)
          return (
            encode(last, timeLength) +
            encode(sequence, sequenceLength) +
            Array.from(bytes, byteToCharacter).join("")
          )
        })
      })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}

/** Returns a string that sorts after all ids from before a time, and before all ids from then on. */
export const firstIdAt = (timeMs: number): string => encode(timeMs, timeLength)

/** Returns when an id was generated, in milliseconds since the epoch; 0 for a string that no generator returns. */
export const timeOfId = (id: string): number => {
  let time = 0
  for (const character of id.slice(0, timeLength)) time = time * 32 + alphabet.indexOf(character)
  return id.length < timeLength || time < 0 || !Number.isSafeInteger(time) || time > latestTime ? 0 : time
}

const byteToCharacter = (byte: number): string => alphabet[byte & 31]!

const encode = (value: number, width: number): string => {
  let rest = value
  let text = ""
  for (let i = 0; i < width; i++) {
    text = alphabet[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}
