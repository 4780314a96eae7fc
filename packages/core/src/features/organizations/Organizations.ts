/** Operations on organizations. */

import {
  type Access,
  type AccessError,
  type Caller,
  type Command,
  canActIn,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  OrganizationQuotas,
  type Query,
  quotaOf,
  readUsage,
  requireSignInSettings,
  SystemGrant
} from "@lectern/access"
import { makeLinkBase, type Records, readPage, type TransactionEvents, Where } from "@lectern/kernel"
import {
  emailDomains,
  isInUse,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations,
  type PasskeyRow,
  passkeys,
  presentOrganization,
  sites,
  teamMembers,
  users
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import type { OrganizationUsage } from "@lectern/model/organizations"
import {
  Domain,
  type Organization,
  OrganizationId,
  type OrganizationsOfDomain,
  UpdateOrganization
} from "@lectern/model/organizations"
import { organizationPermissions } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SiteId } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { administratorsOf } from "./memberships.ts"
import { makeTrashOperations, type OrganizationTrashOperations } from "./organizationTrash.ts"

/**
 * Operations on organizations, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization that the
 * caller is not a member of, and with `Forbidden` if the caller's role is too low.
 */
export interface OrganizationsOperations extends OrganizationTrashOperations {
  /** Lists the organizations that the caller is a member of, last joined first. */
  readonly list: Query<{ input?: PageQuery }, Page<Organization>>
  /** Returns the organization. */
  readonly get: Query<{ organization: OrganizationId }, Organization, AccessError>
  /**
   * Updates the given fields; requires the role `admin`. Fails with `Conflict` if another organization has the
   * `hostname`, or if `sso` would leave the organization without an administrator who can log in, and with
   * `InvalidInput` if the default content is not a site of the organization.
   */
  readonly update: Command<
    { organization: OrganizationId; input?: UpdateOrganization },
    Organization,
    AccessError | Conflict
  >
  /** Returns how much of its quota the organization uses; requires the role `admin`. */
  readonly getUsage: Query<{ organization: OrganizationId }, OrganizationUsage, AccessError>
  /**
   * Lists the organizations that have the e-mail domain, at most 100. The list is empty unless the e-mail address of
   * the caller is in the domain.
   */
  readonly listByEmailDomain: Query<{ domain: typeof Domain.Type }, OrganizationsOfDomain>
}

/** The columns that an update changes. */
const changesOf = (input: UpdateOrganization): Partial<OrganizationRow> => ({
  ...(input.title === undefined ? {} : { title: input.title }),
  ...(input.emailDomains === undefined ? {} : { emailDomains: [...new Set(input.emailDomains)] }),
  ...(input.hostname === undefined ? {} : { hostname: input.hostname }),
  ...(input.defaultRole === undefined ? {} : { defaultRole: input.defaultRole }),
  ...(input.defaultContent === undefined ? {} : { defaultContent: input.defaultContent }),
  ...(input.logo === undefined ? {} : { logo: input.logo }),
  ...(input.sso === undefined ? {} : { sso: input.sso }),
  ...(input.secondFactor === undefined ? {} : { secondFactor: input.secondFactor }),
  ...(input.ai === undefined ? {} : { ai: input.ai }),
  ...(input.inviteLinks === undefined ? {} : { inviteLinks: input.inviteLinks }),
  ...(input.domainJoin === undefined ? {} : { domainJoin: input.domainJoin }),
  ...(input.mergeRules === undefined ? {} : { mergeRules: input.mergeRules })
})

/** Whether an update changes how members join and sign in. */
const changesSignIn = (before: OrganizationRow, input: UpdateOrganization): boolean =>
  (["emailDomains", "domainJoin", "sso", "secondFactor"] as const).some(
    (name) => input[name] !== undefined && String(input[name]) !== String(before[name])
  )

/** The maximum number of organizations in a list by e-mail domain. */
const maximumByDomain = 100

/**
 * Denies access to the members who have not logged in by single sign-on, and to the tokens of the others that are not
 * from a login, or restores it. Fails with `Conflict` if that denies access to every administrator.
 */
const enforceSso = Effect.fnUntraced(function* (
  records: GrantedRecords,
  organization: OrganizationId,
  sso: boolean
) {
  yield* records.update(
    members,
    Where.and<MemberRow>(
      Where.eq("organization", organization),
      Where.or<MemberRow>(Where.eq("sso", false), Where.eq("ssoLogin", true))
    ),
    { ssoMissing: sso }
  )
  if (!sso) return
  if ((yield* records.count(members, administratorsOf(organization))) === 0) {
    return yield* new Conflict({
      reason: "AdministratorNotSsoMember",
      message:
        "Requiring single sign-on would leave the organization without an administrator. Enable single sign-on for an administrator first."
    })
  }
})

/**
 * Requires a second factor of the members, or ends the requirement. Fails with `Conflict` if no administrator has a passkey: the
 * server can be one at whose address browsers offer none.
 */
const enforceSecondFactor = Effect.fnUntraced(function* (
  records: GrantedRecords,
  organization: OrganizationId,
  secondFactor: boolean
) {
  yield* records.update(members, Where.eq("organization", organization), { secondFactor })
  if (!secondFactor) return
  const administrators = yield* records.find(members, {
    select: ["user"],
    where: administratorsOf(organization)
  })
  const passkey = yield* records.first(passkeys, {
    select: ["id"],
    where: Where.isIn<PasskeyRow, "user">(
      "user",
      administrators.map(({ user }) => user)
    )
  })
  if (passkey === undefined) {
    return yield* new Conflict({
      reason: "SecondFactorMissing",
      message:
        "Requiring a second factor would leave the organization without an administrator. An administrator adds a passkey first."
    })
  }
})

const makePresenters = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const presentFor = Effect.fnUntraced(function* (
    records: GrantedReader,
    caller: Caller,
    row: OrganizationRow
  ) {
    const owned = yield* records.count(
      teamMembers,
      Where.and(Where.eq("user", caller.user), Where.eq("organization", row.id), Where.eq("role", "owner"))
    )
    return presentOrganization(yield* linkBase, row, organizationPermissions(caller.role, owned > 0))
  })

  /** Presents the organizations of the memberships of one user, in their order. */
  const presentMemberships = Effect.fnUntraced(function* (
    records: GrantedReader,
    memberships: ReadonlyArray<MemberRow>
  ) {
    const first = memberships[0]
    if (first === undefined) return []
    const [rows, owned] = yield* records.zipConcurrent(
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
    const base = yield* linkBase
    return memberships.flatMap((member): ReadonlyArray<Organization> => {
      const row = byId.get(member.organization)
      if (row === undefined) return []
      return [
        presentOrganization(base, row, organizationPermissions(member.role, owned.has(member.organization)))
      ]
    })
  })

  return { presentFor, presentMemberships }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const quotas = yield* OrganizationQuotas
  const { presentMemberships, presentFor } = yield* makePresenters

  return {
    list: query(
      "Organizations.list",
      {
        parameters: { input: PageQuery },
        authorize: allow.signedIn("the organizations that the caller is a member of")
      },
      function* ({ input }, { user: { id, organization }, records }) {
        return yield* readPage(records, input, {
          table: members,
          list: ["organizations of", id],
          where: Where.and<MemberRow>(
            Where.eq("user", id),
            Where.eq("disabled", false),
            organization === undefined ? Where.all : Where.eq("organization", organization)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentMemberships(records, rows)
        })
      }
    ),

    get: query(
      "Organizations.get",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("view") },
      function* ({ organization }, { caller, records }) {
        const row = yield* records.get(organizations, { id: organization })
        if (row === undefined) return yield* NotFound.of("organization")
        return yield* presentFor(records, caller, row)
      }
    ),

    getUsage: query(
      "Organizations.getUsage",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("administrate") },
      function* ({ organization }, { records }) {
        const counts = yield* readUsage(records, organization)
        const quota = quotaOf(quotas, organization)
        const usageOf = (name: keyof typeof counts) => ({
          used: counts[name],
          ...(quota[name] === undefined ? {} : { maximum: quota[name] })
        })
        return {
          object: "organization-usage",
          organization,
          spaces: usageOf("spaces"),
          members: usageOf("members"),
          bytes: usageOf("bytes")
        } satisfies OrganizationUsage
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const { presentFor } = yield* makePresenters

  return {
    update: command(
      "Organizations.update",
      {
        parameters: { organization: OrganizationId, input: UpdateOrganization },
        authorize: allow.organization("administrate"),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const before = yield* records.get(organizations, { id: organization })
        if (before === undefined) return yield* NotFound.of("organization")
        if (changesSignIn(before, input)) yield* requireSignInSettings
        if (input.defaultContent !== undefined && input.defaultContent !== null) {
          const site = yield* records.get(sites, { id: SiteId.make(input.defaultContent.site) }, [
            "organization"
          ])
          if (site?.organization !== organization) {
            return yield* InvalidInput.at("defaultContent.site", "must be a site of the organization")
          }
        }
        const changes = changesOf(input)
        yield* records.tryUpdate(organizations, Where.eq("id", organization), changes).pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(
              new Conflict({
                reason: "HostnameTaken",
                message: `Another organization has the hostname "${input.hostname}". Choose another one.`
              })
            )
          )
        )
        if (changes.emailDomains !== undefined) {
          yield* records.remove(emailDomains, Where.eq("organization", organization))
          yield* records.insertMany(
            emailDomains,
            changes.emailDomains.map((domain) => ({ organization, domain }))
          )
        }
        if (input.sso !== undefined && input.sso !== before.sso)
          yield* enforceSso(records, organization, input.sso)
        if (input.secondFactor !== undefined && input.secondFactor !== before.secondFactor)
          yield* enforceSecondFactor(records, organization, input.secondFactor)
        return yield* presentFor(records, caller, { ...before, ...changes })
      }
    )
  }
})

const makeDomains = Effect.gen(function* () {
  const { query, allow } = yield* Operations

  const domains = yield* SystemGrant.make(
    "Finds organizations by the e-mail domain of a user who is not a member yet."
  )

  const linkBase = yield* makeLinkBase

  return {
    listByEmailDomain: query(
      "Organizations.listByEmailDomain",
      {
        parameters: { domain: Domain },
        authorize: allow.signedIn("the organizations of the e-mail domain of the caller")
      },
      function* ({ domain }, { user: current, records: own }) {
        const records = own.with(domains.grant)
        const user = yield* records.get(users, { id: current.id })
        if (user === undefined || !user.email.endsWith(`@${domain}`)) return { organizations: [] }
        const listing = yield* records.find(emailDomains, {
          where: Where.eq("domain", domain),
          limit: maximumByDomain
        })
        const ids = listing.map(({ organization }) => organization).filter((id) => canActIn(current, id))
        const [rows, [memberships, owned]] = yield* records.zipConcurrent(
          records.find(organizations, { where: Where.isIn("id", ids) }),
          records.zipConcurrent(
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
        const roles = new Map(memberships.map(({ organization, role }) => [organization, role]))
        const base = yield* linkBase
        return {
          organizations: rows
            .filter(isInUse)
            .map((row) =>
              presentOrganization(base, row, organizationPermissions(roles.get(row.id), owned.has(row.id)))
            )
        }
      }
    )
  }
})

const makeOrganizations = Effect.gen(function* () {
  return {
    ...(yield* makeReads),
    ...(yield* makeEdits),
    ...(yield* makeDomains),
    ...(yield* makeTrashOperations)
  }
})

/** Operations on organizations: see {@link OrganizationsOperations}. */
export class Organizations extends Context.Service<Organizations, OrganizationsOperations>()(
  "@lectern/core/Organizations"
) {
  static readonly layer: Layer.Layer<
    Organizations,
    never,
    Records | Operations | Access | TransactionEvents
  > = Layer.effect(Organizations, makeOrganizations)
}
