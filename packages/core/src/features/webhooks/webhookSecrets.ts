/** The secrets of webhooks, encrypted at rest. */

import { Encryption, type StorageUnavailable } from "@lectern/kernel"
import type { WebhookRow } from "@lectern/kernel/tables"
import type { WebhookId } from "@lectern/model/webhooks"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const secretBytes = 32

const placeOf = (id: WebhookId): string => `webhook ${id}`

/** Creates the functions that generate and read secrets. */
export const makeWebhookSecrets = Effect.gen(function* () {
  const encryption = yield* Encryption
  const random = yield* SecureRandom.SecureRandom

  return {
    /** Generates a secret, and returns it with its encrypted form. */
    generate: Effect.fnUntraced(function* (
      id: WebhookId
    ): Effect.fn.Return<{ readonly secret: string; readonly encrypted: string }, StorageUnavailable> {
      const secret = `whsec_${Base64Url.encode(yield* random.randomBytes(secretBytes))}`
      return { secret, encrypted: yield* encryption.encrypt(secret, placeOf(id)) }
    }),

    /** Returns the secrets that are valid at a time, the current one first; none if they cannot be decrypted. */
    validAt: Effect.fnUntraced(function* (
      row: WebhookRow,
      time: string
    ): Effect.fn.Return<ReadonlyArray<string>, StorageUnavailable> {
      const encrypted = [row.secret]
      if (
        row.formerSecret !== null &&
        row.formerSecretExpiresAt !== null &&
        row.formerSecretExpiresAt > time
      ) {
        encrypted.push(row.formerSecret)
      }
      const secrets: Array<string> = []
      for (const value of encrypted) {
        const secret = yield* encryption.decrypt(value, placeOf(row.id))
        if (secret !== undefined) secrets.push(secret)
      }
      return secrets
    })
  }
})
