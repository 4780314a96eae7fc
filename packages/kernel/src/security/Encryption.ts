/**
 * Encryption at rest: AES-256-GCM with a key that is derived from the secret of the workspace (see `Signatures`). After
 * that secret changes, values that were encrypted before can be decrypted while the former secret is configured too.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { callPlatform } from "../platform.ts"
import type { StorageUnavailable } from "../storage/index.ts"
import { Signatures } from "./Signatures.ts"
import { isSealed, keyIdOf, nonceBytes, seal, unseal } from "./sealing.ts"

const makeEncryption = Effect.gen(function* () {
  const signatures = yield* Signatures
  const random = yield* SecureRandom.SecureRandom

  const encrypt = Effect.fnUntraced(function* (
    text: string,
    place: string
  ): Effect.fn.Return<string, StorageUnavailable> {
    const nonce = yield* random.randomBytes(nonceBytes)
    const key = yield* signatures.currentKey
    return yield* callPlatform(() => seal(key, nonce, text, place))
  })

  /** Decrypts with the key whose id the value begins with, otherwise with every key. */
  const decrypt = Effect.fnUntraced(function* (
    encrypted: string,
    place: string
  ): Effect.fn.Return<string | undefined, StorageUnavailable> {
    const id = keyIdOf(encrypted)
    const current = yield* signatures.currentKey
    if (id === undefined || id === current.id) {
      const text = yield* callPlatform(() => unseal(current, encrypted, place))
      if (text !== undefined) return text
    }
    const former = yield* signatures.formerKeys
    const named = former.filter((key) => id !== undefined && key.id === id)
    // The operator can have given another id, or none, to a secret since.
    for (const key of [...named, current, ...former]) {
      const text = yield* callPlatform(() => unseal(key, encrypted, place))
      if (text !== undefined) return text
    }
    return undefined
  })

  return {
    /** Encrypts text. `place` is authenticated with it: the result cannot be decrypted for another place. */
    encrypt,

    /** Decrypts text. Returns `undefined` if the key, the place or the bytes do not match. */
    decrypt,

    /** Decrypts text as `decrypt` does. Text that an earlier version stored without encryption is returned unchanged. */
    decryptOrPlain: (stored: string, place: string): Effect.Effect<string | undefined, StorageUnavailable> =>
      isSealed(stored) ? decrypt(stored, place) : Effect.succeed(stored),

    /**
     * Returns text encrypted with the current secret: the same text if it is already, and `undefined` if no configured
     * secret decrypts it.
     */
    renew: Effect.fnUntraced(function* (
      stored: string,
      place: string
    ): Effect.fn.Return<string | undefined, StorageUnavailable> {
      const current = yield* signatures.currentKey
      if (isSealed(stored) && keyIdOf(stored) === current.id) {
        const text = yield* callPlatform(() => unseal(current, stored, place))
        if (text !== undefined) return stored
      }
      const text = isSealed(stored) ? yield* decrypt(stored, place) : stored
      return text === undefined ? undefined : yield* encrypt(text, place)
    })
  }
})

/** The methods of {@link Encryption}. */
export interface EncryptionService extends Effect.Success<typeof makeEncryption> {}

/** Encrypts and decrypts values for storage. */
export class Encryption extends Context.Service<Encryption, EncryptionService>()("@lectern/core/Encryption") {
  static readonly layer: Layer.Layer<Encryption, never, Signatures> = Layer.effect(
    Encryption,
    makeEncryption
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
