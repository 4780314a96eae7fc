/**
 * Challenges that passkeys sign. A challenge is signed by the workspace and names its purpose and its time, so that nothing is stored
 * for a client that only requests one. It is stored when a passkey has signed it: it is accepted once.
 */

import type { GrantedRecords } from "@lectern/access"
import { Signatures, toTimestamp } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import { usedChallenges } from "@lectern/kernel/tables"
import { Clock, Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** The purpose of a challenge: a sign-in, or an action in one session. */
export type ChallengePurpose = "signIn" | `register ${string}` | `verify ${string}`

/** The time in which a passkey must sign a challenge, in milliseconds: 5 minutes. */
export const challengeMillis = 5 * 60 * 1_000

const nonceBytes = 24

/** Decodes Base64 for URLs as text; undefined if it is invalid. */
const decodeText = (text: string): string | undefined => Result.getOrUndefined(Base64Url.decodeString(text))

/** Creates the functions that create, verify and use challenges. */
export const makeChallenges = Effect.gen(function* () {
  const signatures = yield* Signatures
  const random = yield* SecureRandom.SecureRandom
  return {
    /** Creates a challenge, as the text that the authenticator signs. */
    create: Effect.fnUntraced(function* (purpose: ChallengePurpose) {
      const nonce = Base64Url.encode(yield* random.randomBytes(nonceBytes))
      const at = (yield* Clock.currentTimeMillis).toString(36)
      const sign = yield* signatures.signer
      return `${nonce}.${at}.${sign("passkey", purpose, nonce, at)}`
    }),

    /** Whether a challenge, as a browser returns it, was created for a purpose at most 5 minutes ago. */
    verify: Effect.fnUntraced(function* (purpose: ChallengePurpose, challenge: string) {
      const [nonce = "", at = "", signature = ""] = (decodeText(challenge) ?? "").split(".")
      if (!(yield* signatures.verify(signature, "passkey", purpose, nonce, at))) return false
      const age = (yield* Clock.currentTimeMillis) - Number.parseInt(at, 36)
      return age >= 0 && age <= challengeMillis
    }),

    /** Stores that a challenge was used. Returns whether this is its first use. */
    use: Effect.fnUntraced(function* (records: GrantedRecords, challenge: string) {
      const expiresAt = toTimestamp((yield* Clock.currentTimeMillis) + challengeMillis)
      const inserted = yield* records.insertMissing(usedChallenges, [
        { digest: sha256Hex(challenge), expiresAt }
      ])
      return inserted === 1
    })
  }
})
