/** The members of an organization, as its identity provider manages them. */

import {
  type AccessError,
  type Authorization,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  OrganizationQuotas,
  type Query,
  requireGrantable,
  requireQuota
} from "@lectern/access"
import { Ids, now, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  type OidcProviderRow,
  oidcProviders,
  organizations,
  type ProvisionedMemberRow,
  presentProvisionedUser,
  provisionedMembers,
  users
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound, PreconditionFailed } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  FindProvisionedUsers,
  NewProvisionedUser,
  type ProvisionedUser,
  type ProvisionedUserList,
  RemoveProvisioned,
  UpdateProvisionedUser
} from "@lectern/model/provisioning"
import { folded } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import {
  endAccess,
  findOrCreateUsers,
  membership,
  newMember,
  removeMembership,
  requireOtherAdministrator
} from "../organizations/memberships.ts"

interface OneMember {
  readonly organization: OrganizationId
  readonly user: UserId
}

/**
 * Operations on members as an identity provider manages them, on behalf of the `CurrentUser`. They require the permission
 * `organization.provision` of an administrator, and fail with `NotFound` for users who are not members.
 */
export interface ProvisionedMembersOperations {
  /** Finds members, in the order in which they joined. */
  readonly find: Query<
    { organization: OrganizationId; input: FindProvisionedUsers },
    ProvisionedUserList,
    AccessError
  >
  /**
   * Makes the owner of an e-mail address a member with the default role, and creates the account if it does not exist. Fails with
   * `InvalidInput` unless the address is in an e-mail domain of the organization or of its providers, and with `Conflict` if the
   * user is a member, or another member has the name.
   */
  readonly create: Command<
    { organization: OrganizationId; input: NewProvisionedUser },
    ProvisionedUser,
    AccessError | Conflict
  >
  /**
   * Replaces the statements of the identity provider about a member. The account does not change. A member who is no longer active loses
   * access with immediate effect. Fails with `Conflict` if it would leave the organization without an administrator, or another
   * member has the name; and with `PreconditionFailed` if the member has another version.
   */
  readonly update: Command<
    OneMember & { input: UpdateProvisionedUser },
    ProvisionedUser,
    AccessError | Conflict | PreconditionFailed
  >
  /** Removes a member, as `Members.remove` does, if it has the version. */
  readonly remove: Command<
    OneMember & { input?: RemoveProvisioned },
    void,
    AccessError | Conflict | PreconditionFailed
  >
}

/** Fails with `PreconditionFailed` if a resource has another version than the expected one. */
export const requireVersion = (
  current: { readonly version?: string },
  expected: string | undefined
): Effect.Effect<void, PreconditionFailed> =>
  expected === undefined || expected === current.version
    ? Effect.void
    : Effect.fail(
        new PreconditionFailed({
          reason: "StaleVersion",
          message: "The resource has changed since the version that the request expects. Read it again."
        })
      )

const nameTaken = new Conflict({
  reason: "EmailTaken",
  message: "A member of the organization has this user name or e-mail address."
})

const inOrganization = (organization: OrganizationId) =>
  Where.eq<MemberRow, "organization">("organization", organization)

/** Returns the users, also of other organizations, whose id, name or external id in the organization is among the values. */
const resolve = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  { ids, names, externalIds }: NonNullable<FindProvisionedUsers["lookup"]>
): Effect.fn.Return<ReadonlyArray<UserId>, StorageUnavailable> {
  const [accounts, rows] = yield* records.zipConcurrent(
    records.find(users, {
      select: ["id"],
      where: Where.isIn(
        "email",
        names.flatMap((name) => [name.toLowerCase(), folded(name)])
      )
    }),
    records.find(provisionedMembers, {
      select: ["user"],
      where: Where.and<ProvisionedMemberRow>(
        Where.eq("organization", organization),
        Where.or<ProvisionedMemberRow>(
          Where.isIn("folded", names.map(folded)),
          Where.isIn("externalId", externalIds)
        )
      )
    })
  )
  const found = [...accounts.map(({ id }) => id), ...rows.map(({ user }) => user)]
  return [...new Set([...(ids as ReadonlyArray<UserId>), ...found])]
})

/** Fails with `Conflict` if a name belongs to a member, other than `user`. */
const requireFree = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  names: ReadonlyArray<string>,
  user?: UserId
): Effect.fn.Return<void, Conflict | StorageUnavailable> {
  const holders = yield* resolve(records, organization, { ids: [], names, externalIds: [] })
  const others = Where.isIn<MemberRow, "user">(
    "user",
    holders.filter((holder) => holder !== user)
  )
  const taken = yield* records.count(members, Where.and<MemberRow>(inOrganization(organization), others))
  if (taken > 0) return yield* nameTaken
})

const presentUsers = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  rows: ReadonlyArray<MemberRow>
): Effect.fn.Return<ReadonlyArray<ProvisionedUser>, StorageUnavailable> {
  const ids = rows.map(({ user }) => user)
  const [accounts, provisioned] = yield* records.zipConcurrent(
    records.find(users, { where: Where.isIn("id", ids) }),
    records.find(provisionedMembers, {
      where: Where.and<ProvisionedMemberRow>(Where.eq("organization", organization), Where.isIn("user", ids))
    })
  )
  const accountOf = new Map(accounts.map((account) => [account.id, account]))
  const rowOf = new Map(provisioned.map((row) => [row.user, row]))
  return rows.map((row) => presentProvisionedUser(row, accountOf.get(row.user)!, rowOf.get(row.user)))
})

/** Fails with `InvalidInput` unless an address is in a domain of the organization, or of one of its providers. */
const requireOwnDomain = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  emailDomains: ReadonlyArray<string>,
  email: string
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  const domain = email.slice(email.lastIndexOf("@") + 1)
  const providers = yield* records.find(oidcProviders, {
    select: ["domains"],
    where: Where.eq<OidcProviderRow, "organization">("organization", organization)
  })
  const own = new Set([...emailDomains, ...providers.flatMap(({ domains }) => domains)])
  if (own.has(domain) || own.has("*")) return
  return yield* InvalidInput.at(
    "email",
    `must be in an e-mail domain of the organization. Add ${domain} to its domains, or invite the user`
  )
})

/** Stores the statements of the identity provider about a member. */
const storeRow = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { organization, user }: OneMember,
  { userName, externalId, profile }: UpdateProvisionedUser
): Effect.fn.Return<ProvisionedMemberRow, StorageUnavailable> {
  const time = yield* now
  const set = { userName, folded: folded(userName), externalId, profile, updatedAt: time }
  const row = { organization, user, ...set, createdAt: time }
  if ((yield* records.insertMissing(provisionedMembers, [row])) === 1) return row
  yield* records.update(
    provisionedMembers,
    Where.and<ProvisionedMemberRow>(Where.eq("organization", organization), Where.eq("user", user)),
    set
  )
  return row
})

/** Finds members of an organization: see `ProvisionedMembersOperations.find`. */
const findUsers = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  { lookup, offset = 0, after, limit }: FindProvisionedUsers
): Effect.fn.Return<ProvisionedUserList, StorageUnavailable> {
  const matching = Where.and<MemberRow>(
    inOrganization(organization),
    lookup === undefined ? Where.all : Where.isIn("user", yield* resolve(records, organization, lookup))
  )
  const skipped =
    offset === 0
      ? []
      : yield* records.find(members, { select: ["id"], where: matching, orderBy: ["id"], limit: offset })
  const start = skipped.at(-1)?.id ?? after ?? ""
  const rows = yield* records.find(members, {
    where: Where.and<MemberRow>(matching, Where.gt("id", start)),
    orderBy: ["id"],
    limit
  })
  const total = yield* records.count(members, matching)
  return { total, users: yield* presentUsers(records, organization, rows) }
})

const makeProvisionedMembers = Effect.gen(function* () {
  const quotas = yield* OrganizationQuotas
  const ids = yield* Ids
  const { query, command, allow } = yield* Operations
  const provision = allow.organization("provision")
  const load = allow.loading(provision, (records, { organization, user }: OneMember) =>
    records.get(members, { organization, user })
  )

  const allowMember: Authorization<OneMember, { readonly member: MemberRow }, AccessError> = {
    rule: provision.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant }, member] = yield* load(target)
      return member === undefined ? yield* NotFound.of("member") : { grant, member }
    })
  }

  const present = (records: GrantedReader, member: MemberRow) =>
    Effect.map(presentUsers(records, member.organization, [member]), ([user]) => user!)

  return {
    find: query(
      "ProvisionedMembers.find",
      { parameters: { organization: OrganizationId, input: FindProvisionedUsers }, authorize: provision },
      function* ({ organization, input }, { records }) {
        return yield* findUsers(records, organization, input)
      }
    ),

    create: command(
      "ProvisionedMembers.create",
      {
        parameters: { organization: OrganizationId, input: NewProvisionedUser },
        authorize: provision,
        locks: ({ organization, input }) => Locks.invitations(organization, [input.email])
      },
      function* ({ organization, input }, { records }) {
        const { email, userName, profile, active } = input
        const owner = (yield* records.get(organizations, { id: organization }))!
        yield* requireGrantable([owner.defaultRole])
        yield* requireOwnDomain(records, organization, owner.emailDomains, email)
        yield* requireFree(records, organization, [userName, email])
        yield* requireQuota(quotas, records, organization, "members", 1)
        const accounts = yield* findOrCreateUsers(records, ids, new Map([[email, profile.displayName]]))
        const account = accounts.get(email)!
        const joined = yield* newMember(ids, owner, account, { role: owner.defaultRole })
        const member = { ...joined, disabled: !active }
        yield* records.insert(members, member)
        return presentProvisionedUser(
          member,
          account,
          yield* storeRow(records, { organization, user: account.id }, input)
        )
      }
    ),

    update: command(
      "ProvisionedMembers.update",
      {
        parameters: { organization: OrganizationId, user: UserId, input: UpdateProvisionedUser },
        authorize: allowMember,
        locks: Locks.organization
      },
      function* ({ organization, user, input }, { member, records }) {
        const current = yield* present(records, member)
        yield* requireVersion(current, input.expected)
        if (folded(input.userName) !== folded(current.userName)) {
          yield* requireFree(records, organization, [input.userName], user)
        }
        if (current.active !== input.active) {
          if (!input.active) yield* requireOtherAdministrator(records, member)
          yield* records.update(members, membership(organization, user), { disabled: !input.active })
          if (!input.active) yield* endAccess(records, member)
        }
        yield* storeRow(records, member, input)
        return yield* present(records, { ...member, disabled: !input.active })
      }
    ),

    remove: command(
      "ProvisionedMembers.remove",
      {
        parameters: { organization: OrganizationId, user: UserId, input: RemoveProvisioned },
        authorize: allowMember,
        locks: Locks.organization
      },
      function* ({ input: { expected } }, { member, records }) {
        if (expected !== undefined) yield* requireVersion(yield* present(records, member), expected)
        yield* requireOtherAdministrator(records, member)
        yield* removeMembership(records, member)
      }
    )
  } satisfies ProvisionedMembersOperations
})

/** Operations on members as an identity provider manages them: see {@link ProvisionedMembersOperations}. */
export class ProvisionedMembers extends Context.Service<ProvisionedMembers, ProvisionedMembersOperations>()(
  "@lectern/core/ProvisionedMembers"
) {
  static readonly layer: Layer.Layer<ProvisionedMembers, never, Records | Operations | Ids> = Layer.effect(
    ProvisionedMembers,
    makeProvisionedMembers
  )
}
