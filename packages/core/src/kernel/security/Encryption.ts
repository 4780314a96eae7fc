/**
 * Encryption at rest: AES-256-GCM with a key that is derived from the secret of the workspace (see `Signatures`). After
 * that secret changes, values that were encrypted before cannot be decrypted.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { StorageUnavailable } from "../storage/index.ts"
import { Signatures } from "./Signatures.ts"

/** The length of a nonce, in bytes, as GCM requires. */
const nonceBytes = 12

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

const makeEncryption = Effect.gen(function* () {
  const signatures = yield* Signatures
  const random = yield* SecureRandom.SecureRandom

  const key = Effect.flatMap(signatures.keyFor("encryption"), (bytes) =>
    Effect.promise(() =>
      crypto.subtle.importKey("raw", new Uint8Array(bytes), "AES-GCM", false, ["encrypt", "decrypt"])
    )
  )

  return {
    /** Encrypts text. `place` is authenticated with it: the result cannot be decrypted for another place. */
    encrypt: Effect.fnUntraced(function* (
      text: string,
      place: string
    ): Effect.fn.Return<string, StorageUnavailable> {
      const nonce = new Uint8Array(yield* random.randomBytes(nonceBytes))
      const secret = yield* key
      const sealed = yield* Effect.promise(() =>
        crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData: utf8(place) }, secret, utf8(text))
      )
      return `${Base64Url.encode(nonce)}.${Base64Url.encode(new Uint8Array(sealed))}`
    }),

    /** Decrypts text. Returns `undefined` if the key, the place or the bytes do not match. */
    decrypt: Effect.fnUntraced(function* (
      encrypted: string,
      place: string
    ): Effect.fn.Return<string | undefined, StorageUnavailable> {
      const secret = yield* key
      return yield* Effect.promise(async () => {
        try {
          const [nonce, sealed] = encrypted.split(".").map((part) => {
            const bytes = Base64Url.decode(part)
            return new Uint8Array(bytes._tag === "Success" ? bytes.success : [])
          })
          const algorithm = { name: "AES-GCM", iv: nonce!, additionalData: utf8(place) }
          return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, secret, sealed!))
        } catch {
          return undefined
        }
      })
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
