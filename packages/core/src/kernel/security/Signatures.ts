/** Signed URLs, which grant access to one resource without a token. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Records, type StorageUnavailable, Table } from "../storage/index.ts"

const secretColumns = { name: Table.text(), value: Table.text() }
interface SecretRow extends Table.RowOf<typeof secretColumns> {}

/** Secrets that the workspace has generated. */
export const secrets: Table.Table<"secrets", SecretRow, "name"> = Table.make("secrets", {
  columns: secretColumns,
  locking: Table.withoutLocks,
  key: ["name"]
})

/** The secret of the workspace. Without one, the workspace generates a secret and stores it in its database. */
export const SigningSecret = Context.Reference<Redacted.Redacted<string> | undefined>(
  "@lectern/core/SigningSecret",
  { defaultValue: () => undefined }
)

const name = "signatures"
const secretBytes = 32

const makeSignatures = Effect.gen(function* () {
  const records = yield* Records
  const random = yield* SecureRandom.SecureRandom
  const given = yield* SigningSecret
  let cached = given === undefined ? undefined : utf8ToBytes(Redacted.value(given))

  /** Secrets that this process has generated, which may not be committed. */
  const generated = new Set<string>()

  /**
   * The first process generates the secret for all. A secret that this process has generated is cached only after it is
   * read outside of a transaction: before that, its transaction may be rolled back.
   */
  const load = Effect.gen(function* () {
    const stored = yield* records.get(secrets, { name })
    if (stored !== undefined) {
      const secret = utf8ToBytes(stored.value)
      if (!generated.has(stored.value) || !(yield* records.isInTransaction)) cached = secret
      return secret
    }
    const value = Base64Url.encode(yield* random.randomBytes(secretBytes))
    generated.add(value)
    yield* records.insertMissing(secrets, [{ name, value }])
    return utf8ToBytes((yield* records.get(secrets, { name }))!.value)
  })

  const key = Effect.suspend(() => (cached === undefined ? load : Effect.succeed(cached)))

  return {
    /** Derives a key of 32 bytes for a purpose. */
    keyFor: (purpose: string) =>
      Effect.map(key, (secret) => hmac(sha256, secret, utf8ToBytes(`key for ${purpose}`))) as Effect.Effect<
        Uint8Array,
        StorageUnavailable
      >,

    /** Returns a function that signs a list of strings; a signature is 43 URL-safe characters. */
    signer: Effect.map(
      key,
      (secret) =>
        (...parts: ReadonlyArray<string>): string =>
          Base64Url.encode(hmac(sha256, secret, utf8ToBytes(JSON.stringify(parts))))
    ) as Effect.Effect<(...parts: ReadonlyArray<string>) => string, StorageUnavailable>
  }
})

/** The methods of {@link Signatures}. */
export interface SignaturesService extends Effect.Success<typeof makeSignatures> {}

/** Signs URLs and derives keys, with the secret of the workspace. */
export class Signatures extends Context.Service<Signatures, SignaturesService>()("@lectern/core/Signatures") {
  static readonly layer: Layer.Layer<Signatures, never, Records> = Layer.effect(
    Signatures,
    makeSignatures
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}

/** Compares two signatures in constant time. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let i = 0; i < one.length; i++)
    difference |= one.charCodeAt(i) ^ other.charCodeAt(i % (other.length || 1))
  return difference === 0
}
