/** Creates links that sign a user in once. */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, toTimestamp } from "@lectern/kernel"
import { type SignInLinkRow, signInLinks } from "@lectern/kernel/tables"
import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { digestOf } from "./sessionIssuer.ts"

/** A new link that signs a user in once. */
export interface SignInLink {
  /** The secret, which is a part of its URL. Only its digest is stored. */
  readonly secret: Redacted.Redacted<string>
  /** When the link expires. */
  readonly expiresAt: string
}

/** The user of a new link, the restrictions of the sign-in, and how long the link can be used, or until when. */
export type NewSignInLink = Pick<SignInLinkRow, "user" | "method"> &
  Partial<Pick<SignInLinkRow, "organization" | "provider" | "firstSignInOf">> & {
    /** The digest of the secret of the browser that started the sign-in. */
    readonly browserDigest?: string | undefined
  } & ({ readonly lifetimeMillis: number } | { readonly expiresAt: string })

/** The lifetime of a link that its user or an operator has requested, in milliseconds: 15 minutes. */
export const requestedLinkMillis = 15 * 60 * 1_000

/** Whether a link was sent with an invitation, whose end is that of the link: others are not valid that long. */
export const isOfInvitation = ({
  method,
  firstSignInOf,
  createdAt,
  expiresAt
}: Pick<SignInLinkRow, "method" | "firstSignInOf" | "createdAt" | "expiresAt">): boolean =>
  method === "email" &&
  firstSignInOf === null &&
  Date.parse(expiresAt) - Date.parse(createdAt) > requestedLinkMillis

const secretBytes = 32

/** Creates the function that stores a new link, and returns its secret. */
export const makeSignInLinkIssuer = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return Effect.fnUntraced(function* (
    records: GrantedRecords,
    link: NewSignInLink
  ): Effect.fn.Return<SignInLink, StorageUnavailable> {
    const time = yield* Clock.currentTimeMillis
    const secret = Base64Url.encode(yield* random.randomBytes(secretBytes))
    const {
      user,
      method,
      organization = null,
      provider = null,
      firstSignInOf = null,
      browserDigest = ""
    } = link
    const expiresAt = "expiresAt" in link ? link.expiresAt : toTimestamp(time + link.lifetimeMillis)
    yield* records.insert(signInLinks, {
      user,
      method,
      organization,
      provider,
      firstSignInOf,
      browser: browserDigest === "" ? null : browserDigest,
      digest: digestOf(secret),
      createdAt: toTimestamp(time),
      expiresAt
    })
    return { secret: Redacted.make(secret), expiresAt }
  })
})
