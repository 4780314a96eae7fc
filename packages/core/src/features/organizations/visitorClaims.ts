/** Who a member is, as published sites take it: a signed token (decision D13). */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { SignJWT } from "jose"
import type { MemberRow } from "../../model/organizations/Member.ts"
import type { TeamId } from "../../model/organizations/Team.ts"

/** How long the claims hold, in seconds: as long as a visit. */
const validSeconds = 60 * 60

/** What is said of a member. */
export interface VisitorClaims {
  readonly member: MemberRow
  readonly teams: ReadonlyArray<TeamId>
  /** Who says it: the address of the workspace. */
  readonly issuer: string
}

/**
 * A JWT (HS256) of the member: `sub` and `id` the user, `role` in the organization (null for a guest), `teams` by
 * their ids, `aud` the organization; it holds for an hour. The bytes of the key's text are the secret.
 */
export const visitorClaims = (
  key: string,
  { member, teams, issuer }: VisitorClaims,
  nowMillis: number
): Effect.Effect<string> =>
  Effect.promise(async () => {
    const issuedAt = Math.floor(nowMillis / 1000)
    const claims = { id: member.user, role: member.role, teams, organization: member.organization }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(member.user)
      .setAudience(member.organization)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + validSeconds)
      .sign(utf8ToBytes(key))
  })
