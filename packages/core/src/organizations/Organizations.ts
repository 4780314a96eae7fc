/** What callers do with organizations. */
import { Context, Effect, Layer } from "effect"
import { Access } from "../access/Access.ts"
import { CurrentUser } from "../access/CurrentUser.ts"
import { organizationPermissions } from "../access/Policy.ts"
import { NotFound } from "../errors.ts"
import { query } from "../shared/Operation.ts"
import { PageQuery, readPage } from "../shared/Page.ts"
import { PublicUrl } from "../shared/Urls.ts"
import { Records, Where } from "../storage/index.ts"
import { type MemberRow, members } from "./Member.ts"
import { type Organization, OrganizationId, organizations, present } from "./Organization.ts"
import { teamMembers } from "./Team.ts"

const make = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const base = yield* PublicUrl

  /** The organizations of one user's memberships, in their order. */
  const presentAll = Effect.fnUntraced(function* (memberships: ReadonlyArray<MemberRow>) {
    const first = memberships[0]
    if (first === undefined) return []
    const [rows, owned] = yield* records.both(
      records.find(organizations, {
        where: Where.isIn(
          "id",
          memberships.map((row) => row.organization)
        )
      }),
      records.countBy(
        teamMembers,
        "organization",
        Where.and(Where.eq("user", first.user), Where.eq("role", "owner"))
      )
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return memberships.flatMap((member): ReadonlyArray<Organization> => {
      const row = byId.get(member.organization)
      if (row === undefined) return []
      return [present(base, row, organizationPermissions(member.role, owned.has(member.organization)))]
    })
  })

  return {
    /** The organizations that the caller is a member of, the last joined first. */
    list: query([PageQuery], function* (page) {
      const { id } = yield* CurrentUser
      return yield* readPage(records, page, {
        table: members,
        list: ["organizations of", id],
        where: Where.and<MemberRow>(Where.eq("user", id), Where.eq("disabled", false)),
        orderBy: ["id"],
        direction: "desc",
        present: presentAll
      })
    }),

    /** The organization. */
    get: query([OrganizationId], function* (id) {
      const caller = yield* access.organization(id, "view")
      const [row, owned] = yield* records.both(
        records.get(organizations, { id }),
        records.count(
          teamMembers,
          Where.and(Where.eq("user", caller.user), Where.eq("organization", id), Where.eq("role", "owner"))
        )
      )
      if (row === undefined) return yield* NotFound.of("organization")
      return present(base, row, organizationPermissions(caller.role, owned > 0))
    })
  }
})

/** See the module's comment. */
export class Organizations extends Context.Service<Organizations, Effect.Success<typeof make>>()(
  "@lectern/core/organizations/Organizations"
) {
  static readonly layer: Layer.Layer<Organizations, never, Records | Access> = Layer.effect(
    Organizations,
    make
  )
}
