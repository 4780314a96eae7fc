/** Signed claims about a member, with which published sites identify their visitors. */

import { callPlatform } from "@lectern/kernel"
import type { MemberRow } from "@lectern/kernel/tables"
import type { TeamId } from "@lectern/model/organizations"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { Effect } from "effect"
import { SignJWT } from "jose"

/** The lifetime of the claims, in seconds. */
const lifetimeSeconds = 60 * 60

/** The facts that the claims state. */
export interface VisitorClaims {
  readonly member: MemberRow
  readonly teams: ReadonlyArray<TeamId>
  /** The URL of the workspace. */
  readonly issuer: string
}

/**
 * Signs a JWT (HS256) that expires in one hour: `sub` and `id` are the user, `role` is the role in the organization
 * (null for a guest), `teams` are the ids of the teams, `aud` is the organization. The secret is the UTF-8 of the key.
 */
export const signVisitorClaims = (
  key: string,
  { member, teams, issuer }: VisitorClaims,
  nowMillis: number
): Effect.Effect<string> =>
  callPlatform(async () => {
    const issuedAt = Math.floor(nowMillis / 1000)
    const claims = { id: member.user, role: member.role, teams, organization: member.organization }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(member.user)
      .setAudience(member.organization)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(utf8ToBytes(key))
  })

/** Signs a JWT (HS256) with the given claims, that expires in one hour. The names of the token itself have its own values. */
export const signPreviewClaims = (
  key: string,
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  nowMillis: number
): Effect.Effect<string> =>
  callPlatform(async () => {
    const issuedAt = Math.floor(nowMillis / 1000)
    const { nbf: _, ...stated } = claims
    return new SignJWT(stated)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(utf8ToBytes(key))
  })
