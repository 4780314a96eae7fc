/** Operations that admit the members of an organization to its sites as visitors. */

import { type AccessError, decryptPrivateKey, Operations, type Query } from "@lectern/access"
import { Encryption, PublicUrl, Where } from "@lectern/kernel"
import { members, rootOf, siteSettings, type TeamMemberRow, teamMembers } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { unescaped } from "@lectern/model/schema"
import { type MemberVisit, SiteId, StartMemberVisit } from "@lectern/model/sites"
import { Clock, Context, Effect, Layer } from "effect"
import { signVisitorClaims } from "../organizations/visitorClaims.ts"

/** Operations that admit the members of an organization to its sites, on behalf of the `CurrentUser`. */
export interface MemberVisitsOperations {
  /**
   * Signs a visitor token for the caller, which states their role and teams and is valid for one hour, and returns the
   * URL of the site with it. Fails with `NotFound` if the caller cannot see the site, or if the site is not published or
   * is visited by share links.
   */
  readonly start: Query<
    { organization: OrganizationId; site: SiteId; input?: StartMemberVisit },
    MemberVisit,
    AccessError
  >
}

/** Returns the URL below a root of a path of any client: the path never leads to another host or above the root. */
const urlBelow = (root: string, path: string): URL => {
  const url = new URL(root)
  const segments = path
    .split(/[/\\]+/)
    .map(unescaped)
    .filter((segment) => !["", ".", ".."].includes(segment))
  url.pathname += segments.map(encodeURIComponent).join("/")
  return url
}

const makeMemberVisits = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const encryption = yield* Encryption
  const issuer = yield* PublicUrl

  return {
    start: query(
      "MemberVisits.start",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: StartMemberVisit },
        authorize: allow.site("view"),
        audited: true
      },
      function* ({ organization, site: id, input }, { records, caller, site }) {
        if (!site.published || site.visibility === "share-link") {
          return yield* NotFound.of("site")
        }
        const settings = yield* records.get(siteSettings, { site: id }, ["privateKey"])
        const [member, memberships] = yield* records.zipConcurrent(
          records.get(members, { organization, user: caller.user }),
          records.find(teamMembers, {
            select: ["team"],
            where: Where.and<TeamMemberRow>(
              Where.eq("user", caller.user),
              Where.eq("organization", organization)
            )
          })
        )
        const key = yield* decryptPrivateKey(encryption, id, settings)
        if (member === undefined || key === undefined) return yield* NotFound.of("site")
        const teams = memberships.map(({ team }) => team)
        const token = yield* signVisitorClaims(key, { member, teams, issuer }, yield* Clock.currentTimeMillis)
        const url = urlBelow(rootOf(issuer, site), input.location ?? "")
        url.searchParams.set("jwt_token", token)
        return { url: url.href }
      }
    )
  }
})

/** Operations that admit members to sites as visitors: see {@link MemberVisitsOperations}. */
export class MemberVisits extends Context.Service<MemberVisits, MemberVisitsOperations>()(
  "@lectern/core/MemberVisits"
) {
  static readonly layer: Layer.Layer<MemberVisits, never, Operations | Encryption> = Layer.effect(
    MemberVisits,
    makeMemberVisits
  )
}
