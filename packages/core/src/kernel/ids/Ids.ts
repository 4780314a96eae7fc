/** Where ids come from. */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Lower-case Crockford base 32: its characters are in the order of their values, and none looks like another. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Characters for the time (50 bits of milliseconds), the place within the millisecond, and the secret. */
const timeLength = 10
const sequenceLength = 3
const randomLength = 17

/** The methods of {@link Ids}. */
export interface IdsService {
  /** A new id. */
  readonly next: Effect.Effect<string>
}

/**
 * Makes ids: 30 characters, safe in URLs, sorted by the time of their making, with 85 random bits that nobody
 * can guess. Within one process, two of the same millisecond are in the order of their making too.
 */
export class Ids extends Context.Service<Ids, IdsService>()("@lectern/core/Ids") {
  static readonly layer: Layer.Layer<Ids> = Layer.effect(
    Ids,
    Effect.gen(function* () {
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
