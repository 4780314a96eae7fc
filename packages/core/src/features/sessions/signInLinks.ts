/** Creates links that sign a user in once. */

import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { toTimestamp } from "../../kernel/time.ts"
import { type SignInLinkRow, signInLinks } from "../../tables/sessions/sessionTables.ts"
import { digestOf } from "./sessionIssuer.ts"

/** A new link that signs a user in once. */
export interface SignInLink {
  /** The secret, which is a part of its URL. Only its digest is stored. */
  readonly secret: Redacted.Redacted<string>
  /** When the link expires. */
  readonly expiresAt: string
}

/** The user of a new link, and the restrictions of the sign-in. */
export interface NewSignInLink
  extends Pick<SignInLinkRow, "user" | "method">,
    Partial<Pick<SignInLinkRow, "organization" | "provider" | "firstSignInOf">> {
  /** The digest of the secret of the browser that started the sign-in. */
  readonly browserDigest?: string | undefined
  /** How long the link can be used, in milliseconds. */
  readonly lifetimeMillis: number
}

const secretBytes = 32

/** Creates the function that stores a new link, and returns its secret. */
export const makeSignInLinkIssuer = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return Effect.fnUntraced(function* (
    records: GrantedRecords,
    { lifetimeMillis, browserDigest = "", ...link }: NewSignInLink
  ): Effect.fn.Return<SignInLink, StorageUnavailable> {
    const time = yield* Clock.currentTimeMillis
    const secret = Base64Url.encode(yield* random.randomBytes(secretBytes))
    const expiresAt = toTimestamp(time + lifetimeMillis)
    yield* records.insert(signInLinks, {
      organization: null,
      provider: null,
      firstSignInOf: null,
      ...link,
      browser: browserDigest === "" ? null : browserDigest,
      digest: digestOf(secret),
      createdAt: toTimestamp(time),
      expiresAt
    })
    return { secret: Redacted.make(secret), expiresAt }
  })
})
