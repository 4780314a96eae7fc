/** The secrets of the workspace, and signed URLs, which grant access to one resource without a token. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { callPlatform } from "../platform.ts"
import { Records, type StorageUnavailable, Table } from "../storage/index.ts"
import { isSealed, unseal, type WorkspaceKey } from "./sealing.ts"

const secretColumns = { name: Table.text(), value: Table.text() }
/** A row of the table `secrets`. */
export interface SecretRow extends Table.RowOf<typeof secretColumns> {}

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

/** A secret of the workspace, with an id that values which it encrypts begin with. */
export interface WorkspaceSecret {
  /** 1 to 32 letters, digits, `_` and `-`. */
  readonly id: string
  /** The secret. */
  readonly secret: Redacted.Redacted<string>
}

/**
 * The secrets of the workspace, for rotation: the first signs and encrypts, and the others verify and decrypt. `SigningSecret`
 * and a secret that the workspace has generated come after them. Empty by default.
 */
export const WorkspaceSecrets = Context.Reference<ReadonlyArray<WorkspaceSecret>>(
  "@lectern/core/WorkspaceSecrets",
  { defaultValue: () => [] }
)

/** Redacts the secrets that a host configures. */
export const redactSecrets = (
  given: ReadonlyArray<{ readonly id: string; readonly secret: string }> | undefined
): ReadonlyArray<WorkspaceSecret> | undefined =>
  given?.map(({ id, secret }) => ({ id, secret: Redacted.make(secret) }))

/** The name of the generated secret in the table. */
export const generatedSecretName = "signatures"

/** The place of the generated secret, as `seal` requires. */
export const generatedSecretPlace = "secret signatures"

const secretBytes = 32

/** Returns the key of a secret. */
export const toWorkspaceKey = (id: string | undefined, secret: Redacted.Redacted<string>): WorkspaceKey => ({
  id,
  secret: utf8ToBytes(Redacted.value(secret))
})

const unreadableSecret =
  "The secret that the workspace has generated is encrypted with another secret, which is not configured. Set LECTERN_SECRETS or LECTERN_SECRET to the secrets that were configured before."

const makeSignatures = Effect.gen(function* () {
  const records = yield* Records
  const random = yield* SecureRandom.SecureRandom
  const signingSecret = yield* SigningSecret
  const configured: ReadonlyArray<WorkspaceKey> = [
    ...(yield* WorkspaceSecrets).map(({ id, secret }) => toWorkspaceKey(id, secret)),
    ...(signingSecret === undefined ? [] : [toWorkspaceKey(undefined, signingSecret)])
  ]
  const [firstConfigured] = configured
  let generatedKey: WorkspaceKey | undefined

  /** Secrets that this process has generated, which may not be committed. */
  const generated = new Set<string>()

  /** Decodes the value of the row, which is encrypted if secrets were configured after it was generated. */
  const decodeSecret = Effect.fnUntraced(function* (value: string) {
    if (!isSealed(value)) return value
    for (const key of configured) {
      const text = yield* callPlatform(() => unseal(key, value, generatedSecretPlace))
      if (text !== undefined) return text
    }
    return undefined
  })

  /**
   * The first process generates the secret for all. A secret that this process has generated is cached only after it is
   * read outside of a transaction: before that, its transaction may be rolled back.
   */
  const loadGenerated = Effect.gen(function* () {
    const stored = yield* records.get(secrets, { name: generatedSecretName })
    if (stored !== undefined) {
      const text = yield* decodeSecret(stored.value)
      if (text === undefined) return yield* Effect.die(new Error(unreadableSecret))
      const key: WorkspaceKey = { id: undefined, secret: utf8ToBytes(text) }
      if (!generated.has(stored.value) || !(yield* records.isInTransaction)) generatedKey = key
      return key
    }
    const value = Base64Url.encode(yield* random.randomBytes(secretBytes))
    generated.add(value)
    yield* records.insertMissing(secrets, [{ name: generatedSecretName, value }])
    const inserted = yield* records.get(secrets, { name: generatedSecretName })
    return { id: undefined, secret: utf8ToBytes(inserted!.value) }
  })

  const currentKey: Effect.Effect<WorkspaceKey, StorageUnavailable> =
    firstConfigured === undefined
      ? Effect.suspend(() => (generatedKey === undefined ? loadGenerated : Effect.succeed(generatedKey)))
      : Effect.succeed(firstConfigured)

  /** The secret that was generated before others were configured. It is read when no configured secret matches. */
  let storedFormerKeys: ReadonlyArray<WorkspaceKey> | undefined
  const loadStoredFormerKeys = Effect.gen(function* () {
    if (firstConfigured === undefined) return []
    if (storedFormerKeys !== undefined) return storedFormerKeys
    const stored = yield* records.get(secrets, { name: generatedSecretName })
    const text = stored === undefined ? undefined : yield* decodeSecret(stored.value)
    storedFormerKeys = text === undefined ? [] : [{ id: undefined, secret: utf8ToBytes(text) }]
    return storedFormerKeys
  })

  const formerKeys: Effect.Effect<ReadonlyArray<WorkspaceKey>, StorageUnavailable> = Effect.map(
    loadStoredFormerKeys,
    (stored) => [...configured.slice(1), ...stored]
  )

  const signWith = ({ secret }: WorkspaceKey, parts: ReadonlyArray<string>): string =>
    Base64Url.encode(hmac(sha256, secret, utf8ToBytes(JSON.stringify(parts))))

  return {
    /** The key that signs and encrypts. */
    currentKey,

    /** The keys that only verify and decrypt. */
    formerKeys,

    /** Whether the current secret is one that the workspace has generated and stored. */
    isGenerated: firstConfigured === undefined,

    /** Returns a function that signs a list of strings; a signature is 43 URL-safe characters. */
    signer: Effect.map(
      currentKey,
      (key) =>
        (...parts: ReadonlyArray<string>): string =>
          signWith(key, parts)
    ),

    /** Whether the current or a former secret has signed a list of strings. */
    verify: Effect.fnUntraced(function* (
      signature: string,
      ...parts: ReadonlyArray<string>
    ): Effect.fn.Return<boolean, StorageUnavailable> {
      if (isSame(signWith(yield* currentKey, parts), signature)) return true
      for (const key of yield* formerKeys) if (isSame(signWith(key, parts), signature)) return true
      return false
    })
  }
})

/** The methods of {@link Signatures}. */
export interface SignaturesService extends Effect.Success<typeof makeSignatures> {}

/** Signs URLs, and holds the secrets of the workspace. */
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
