/** Signatures on addresses that need no token: who holds one may see what it names, and nothing else. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Records, type StorageUnavailable, Table } from "../storage/index.ts"

const secretColumns = { name: Table.text(), value: Table.text() }
interface SecretRow extends Table.RowOf<typeof secretColumns> {}

/** Secrets of the workspace that nobody gave it. */
export const secrets: Table.Table<"secrets", SecretRow, "name"> = Table.make("secrets", {
  columns: secretColumns,
  key: ["name"]
})

/** What addresses are signed with, where the host says; else the workspace makes a secret, and keeps it in its store. */
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
  let known = given === undefined ? undefined : utf8ToBytes(Redacted.value(given))

  /** What this process has made, and may have stored. */
  const made = new Set<string>()

  /**
   * Made by whichever process is first, the same for all. One that was made here is kept in memory only where it is read
   * outside of a transaction: until then it may be in one that is undone.
   */
  const load = Effect.gen(function* () {
    const stored = yield* records.get(secrets, { name })
    if (stored !== undefined) {
      const secret = utf8ToBytes(stored.value)
      if (!made.has(stored.value) || !(yield* records.isInTransaction)) known = secret
      return secret
    }
    const value = Base64Url.encode(yield* random.randomBytes(secretBytes))
    made.add(value)
    yield* records.insertMissing(secrets, [{ name, value }])
    return utf8ToBytes((yield* records.get(secrets, { name }))!.value)
  })

  const key = Effect.suspend(() => (known === undefined ? load : Effect.succeed(known)))

  return {
    /** A key of 32 bytes for another purpose, made from the same secret. */
    keyFor: (purpose: string) =>
      Effect.map(key, (secret) => hmac(sha256, secret, utf8ToBytes(`key for ${purpose}`))) as Effect.Effect<
        Uint8Array,
        StorageUnavailable
      >,

    /** Signs texts: the answer gives the signature of each, as 43 characters that are safe in addresses. */
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

/** See the module's comment. */
export class Signatures extends Context.Service<Signatures, SignaturesService>()("@lectern/core/Signatures") {
  static readonly layer: Layer.Layer<Signatures, never, Records> = Layer.effect(
    Signatures,
    makeSignatures
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}

/** Whether two signatures are the same, in a time that does not tell where they differ. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let i = 0; i < one.length; i++)
    difference |= one.charCodeAt(i) ^ other.charCodeAt(i % (other.length || 1))
  return difference === 0
}
