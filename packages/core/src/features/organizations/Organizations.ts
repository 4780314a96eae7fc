/** What callers do with organizations. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { Conflict, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import {
  Domain,
  emailDomains,
  type Organization,
  OrganizationId,
  type OrganizationRow,
  organizations,
  presentOrganization,
  UpdateOrganization
} from "../../model/organizations/Organization.ts"
import { teamMembers } from "../../model/organizations/Team.ts"
import { organizationPermissions } from "../../model/roles/Policy.ts"
import { SiteId, sites } from "../../model/sites/Site.ts"
import { users } from "../../model/users/User.ts"
import { administratorsOf } from "./memberships.ts"

/** The columns that an update changes: what it leaves out stays. */
const changesOf = (input: UpdateOrganization): Partial<OrganizationRow> => ({
  ...(input.title === undefined ? {} : { title: input.title }),
  ...(input.emailDomains === undefined ? {} : { emailDomains: [...new Set(input.emailDomains)] }),
  ...(input.hostname === undefined ? {} : { hostname: input.hostname }),
  ...(input.defaultRole === undefined ? {} : { defaultRole: input.defaultRole }),
  ...(input.defaultContent === undefined ? {} : { defaultContent: input.defaultContent }),
  ...(input.logo === undefined ? {} : { logo: input.logo }),
  ...(input.sso === undefined ? {} : { sso: input.sso }),
  ...(input.ai === undefined ? {} : { ai: input.ai }),
  ...(input.inviteLinks === undefined ? {} : { inviteLinks: input.inviteLinks })
})

/** The most organizations that a domain is answered with. */
const maximumOfDomain = 100

const makeOrganizations = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const base = yield* PublicUrl

  const change = command(records)

  /** Switches single sign-on: from then on, members who have not come by it are refused. */
  const enforceSso = Effect.fnUntraced(function* (organization: OrganizationId, sso: boolean) {
    yield* records.update(
      members,
      Where.and<MemberRow>(Where.eq("organization", organization), Where.eq("sso", false)),
      { ssoMissing: sso }
    )
    if (!sso) return
    if ((yield* records.count(members, administratorsOf(organization))) === 0) {
      return yield* new Conflict({
        message:
          "An administrator has to be an SSO member first, or nobody could administrate the organization."
      })
    }
  })

  /** One organization for a member with this role. */
  const presentFor = Effect.fnUntraced(function* (caller: Caller, row: OrganizationRow) {
    const owned = yield* records.count(
      teamMembers,
      Where.and(Where.eq("user", caller.user), Where.eq("organization", row.id), Where.eq("role", "owner"))
    )
    return presentOrganization(base, row, organizationPermissions(caller.role, owned > 0))
  })

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
      return [
        presentOrganization(base, row, organizationPermissions(member.role, owned.has(member.organization)))
      ]
    })
  })

  return {
    /** The organizations that the caller is a member of, the last joined first. */
    list: query([PageQuery], function* (page) {
      const { id, organization } = yield* CurrentUser
      return yield* readPage(records, page, {
        table: members,
        list: ["organizations of", id],
        where: Where.and<MemberRow>(
          Where.eq("user", id),
          Where.eq("disabled", false),
          organization === undefined ? Where.all : Where.eq("organization", organization)
        ),
        orderBy: ["id"],
        direction: "desc",
        present: presentAll
      })
    }),

    /** The organization. */
    get: query([OrganizationId], function* (id) {
      const caller = yield* access.organization(id, "view")
      const row = yield* records.get(organizations, { id })
      if (row === undefined) return yield* NotFound.of("organization")
      return yield* presentFor(caller, row)
    }),

    /**
     * Changes what is given. `Conflict` where another organization has the hostname, and where single sign-on would
     * leave nobody to administrate it.
     */
    update: change([OrganizationId, UpdateOrganization], function* (id, input) {
      const caller = yield* access.organization(id, "administrate")
      const before = yield* records.get(organizations, { id })
      if (before === undefined) return yield* NotFound.of("organization")
      if (input.defaultContent !== undefined && input.defaultContent !== null) {
        const site = yield* records.get(sites, { id: SiteId.make(input.defaultContent.site) }, [
          "organization"
        ])
        if (site?.organization !== id) {
          return yield* InvalidInput.at("defaultContent.site", "is no site of the organization")
        }
      }
      const changes = changesOf(input)
      yield* records
        .tryUpdate(organizations, Where.eq("id", id), changes)
        .pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(new Conflict({ message: "Another organization has this hostname." }))
          )
        )
      if (changes.emailDomains !== undefined) {
        yield* records.remove(emailDomains, Where.eq("organization", id))
        yield* records.insertMany(
          emailDomains,
          changes.emailDomains.map((domain) => ({ organization: id, domain }))
        )
      }
      if (input.sso !== undefined && input.sso !== before.sso) yield* enforceSso(id, input.sso)
      return yield* presentFor(caller, { ...before, ...changes })
    }),

    /**
     * The organizations of an e-mail domain, for those whose own address is in it; none for others. At most a hundred.
     */
    ofEmailDomain: query([Domain], function* (domain) {
      const current = yield* CurrentUser
      const user = yield* records.get(users, { id: current.id })
      if (user === undefined || !user.email.endsWith(`@${domain}`)) return { organizations: [] }
      const named = yield* records.find(emailDomains, {
        where: Where.eq("domain", domain),
        limit: maximumOfDomain
      })
      const ids = named
        .map(({ organization }) => organization)
        .filter((id) => current.organization === undefined || current.organization === id)
      const [rows, [own, owned]] = yield* records.both(
        records.find(organizations, { where: Where.isIn("id", ids) }),
        records.both(
          records.find(members, {
            where: Where.and<MemberRow>(
              Where.eq("user", current.id),
              Where.eq("disabled", false),
              Where.isIn("organization", ids)
            )
          }),
          records.countBy(
            teamMembers,
            "organization",
            Where.and(Where.eq("user", current.id), Where.eq("role", "owner"))
          )
        )
      )
      const roles = new Map(own.map(({ organization, role }) => [organization, role]))
      return {
        organizations: rows.map((row) =>
          presentOrganization(base, row, organizationPermissions(roles.get(row.id), owned.has(row.id)))
        )
      }
    })
  }
})

/** See the module's comment. */
export class Organizations extends Context.Service<Organizations, Effect.Success<typeof makeOrganizations>>()(
  "@lectern/core/Organizations"
) {
  static readonly layer: Layer.Layer<Organizations, never, Records | Access> = Layer.effect(
    Organizations,
    makeOrganizations
  )
}
