/**
 * Operations of the operator of a workspace, on behalf of no user and without authorization. Host applications call
 * them to import their accounts; the command line calls them to create the first account.
 */

import {
  addAuditDetails,
  Locks,
  Operations,
  type OperatorOperation,
  readUsage,
  requireInUse,
  type UsageCounts
} from "@lectern/access"
import { Encryption, Ids, type Records, readPage, type TransactionEvents, Where } from "@lectern/kernel"
import { invitations, members, organizations, type UserRow, users } from "@lectern/kernel/tables"
import { type Conflict, NotFound } from "@lectern/model/errors"
import {
  Bootstrap,
  type Bootstrapped,
  CreateOrganization,
  type DeletedOrganization,
  type Invitation,
  OrganizationId,
  UpdateMember,
  visitorKeyPlace
} from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { type Account, CreateUser, Email, UserId } from "@lectern/model/users"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { rotateSessions } from "../sessions/endSessions.ts"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { makeInsertion, makeOperatorAccess } from "./administrationAccess.ts"
import { insertMember, membership, removeMembership, requireOtherAdministrator } from "./memberships.ts"
import { type OrganizationSummary, readSummaries } from "./organizationSummaries.ts"
import { makeOrganizationTrash } from "./organizationTrash.ts"

/** Operations of the operator of a workspace. They act for no user. */
export interface AdministrationOperations {
  /** Creates an account and returns its id. Fails with `Conflict` if another account has the e-mail address. */
  readonly createUser: OperatorOperation<{ input: CreateUser }, UserId, Conflict>
  /**
   * Creates an organization with its first administrator, and returns its id. Fails with `NotFound` if the
   * administrator has no account.
   */
  readonly createOrganization: OperatorOperation<
    { administrator: UserId; input: CreateOrganization },
    OrganizationId,
    NotFound
  >
  /** Returns the account with the e-mail address. Fails with `NotFound` if no account has it. */
  readonly findUser: OperatorOperation<{ email: typeof Email.Type }, Account, NotFound>
  /** Lists the accounts, oldest first. */
  readonly listUsers: OperatorOperation<{ input?: PageQuery }, Page<Account>>
  /** Lists the organizations, oldest first. */
  readonly listOrganizations: OperatorOperation<{ input?: PageQuery }, Page<OrganizationSummary>>
  /**
   * Adds a user to the organization with the role, or updates the role of a member. Null is the role of a guest. Fails
   * with `NotFound` if the user or the organization does not exist, and with `Conflict` if it would leave the
   * organization without an administrator.
   */
  readonly setMember: OperatorOperation<
    { organization: OrganizationId; user: UserId; input: UpdateMember },
    void,
    NotFound | Conflict
  >
  /**
   * Moves an organization to the trash, from which it can be restored for 30 days. Fails with `NotFound` if it does not exist, or is in
   * the trash.
   */
  readonly removeOrganization: OperatorOperation<
    { organization: OrganizationId },
    DeletedOrganization,
    NotFound
  >
  /**
   * Restores an organization from the trash, with the sites and webhooks that its deletion has suspended. One outside of the trash stays
   * unchanged. Fails with `NotFound` if it does not exist, or was deleted more than 30 days ago.
   */
  readonly restoreOrganization: OperatorOperation<{ organization: OrganizationId }, void, NotFound>
  /**
   * Generates a new key that signs the visitor claims of members (`Members.ping`) and returns it, for published sites
   * to verify the claims. Claims that were signed with the former key become invalid. Fails with `NotFound` if the
   * organization does not exist.
   */
  readonly regenerateVisitorKey: OperatorOperation<
    { organization: OrganizationId },
    Redacted.Redacted<string>,
    NotFound
  >
  /** Returns how many spaces and members an organization has. Fails with `NotFound` if it does not exist. */
  readonly readUsage: OperatorOperation<{ organization: OrganizationId }, UsageCounts, NotFound>
  /**
   * Lists the open invitations of an organization, in the order of the ids of the users: at most 1,000. Fails with `NotFound` if the
   * organization does not exist.
   */
  readonly listInvitations: OperatorOperation<
    { organization: OrganizationId },
    ReadonlyArray<Invitation>,
    NotFound
  >
  /** Revokes an invitation, and removes the membership. Fails with `NotFound` without an open invitation. */
  readonly revokeInvitation: OperatorOperation<{ organization: OrganizationId; user: UserId }, void, NotFound>
  /**
   * Creates the first organization with its administrator and an API token, if the workspace has no users; otherwise
   * returns `undefined`. It is idempotent: of several processes that start concurrently, one creates them.
   */
  readonly bootstrap: OperatorOperation<{ input: Bootstrap }, Bootstrapped | undefined, Conflict>
}

/** The length of the visitor key of an organization, in bytes: that of the HMAC-SHA-256 hash. */
const visitorKeyBytes = 32

/** The maximum number of invitations in a list. */
const maximumInvitations = 1_000

const makeAccounts = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const { allowAccounts } = yield* makeOperatorAccess
  const { insertAccount } = yield* makeInsertion

  return {
    createUser: command(
      "Administration.createUser",
      { parameters: { input: CreateUser }, authorize: allowAccounts, locks: () => Locks.accounts },
      function* ({ input }, { records }) {
        const { id } = yield* insertAccount(records, input)
        yield* addAuditDetails({ resources: [`user:${id}`] })
        return id
      }
    ),

    findUser: query(
      "Administration.findUser",
      { parameters: { email: Email }, authorize: allowAccounts },
      function* ({ email }, { records }) {
        const row = yield* records.first(users, { where: Where.eq("email", email) })
        if (row === undefined) return yield* NotFound.of("user")
        return row
      }
    ),

    listUsers: query(
      "Administration.listUsers",
      { parameters: { input: PageQuery }, authorize: allowAccounts },
      function* ({ input }, { records }) {
        return yield* readPage(records, input, {
          table: users,
          list: ["accounts"],
          where: Where.all,
          direction: "asc",
          orderBy: ["id"],
          present: (rows) => Effect.succeed(rows)
        })
      }
    )
  }
})

const makeOrganizations = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const random = yield* SecureRandom.SecureRandom
  const encryption = yield* Encryption
  const { allowAdministrator, allowOrganizations } = yield* makeOperatorAccess
  const { insertOrganization } = yield* makeInsertion
  const { moveToTrash, restore } = yield* makeOrganizationTrash

  return {
    createOrganization: command(
      "Administration.createOrganization",
      {
        parameters: { administrator: UserId, input: CreateOrganization },
        authorize: allowAdministrator,
        serializable: "Nothing can lock an organization that does not exist yet. Operators create few."
      },
      function* ({ input }, { account, records }) {
        return yield* insertOrganization(records, input, account)
      }
    ),

    listOrganizations: query(
      "Administration.listOrganizations",
      { parameters: { input: PageQuery }, authorize: allowOrganizations },
      function* ({ input }, { records }) {
        return yield* readSummaries(records, input)
      }
    ),

    removeOrganization: command(
      "Administration.removeOrganization",
      {
        parameters: { organization: OrganizationId },
        authorize: allowOrganizations,
        locks: Locks.organization
      },
      function* ({ organization }, { records }) {
        return yield* moveToTrash(records, organization)
      }
    ),

    restoreOrganization: command(
      "Administration.restoreOrganization",
      {
        parameters: { organization: OrganizationId },
        authorize: allowOrganizations,
        locks: Locks.organization
      },
      function* ({ organization }, { records }) {
        yield* restore(records, organization)
      }
    ),

    regenerateVisitorKey: command(
      "Administration.regenerateVisitorKey",
      {
        parameters: { organization: OrganizationId },
        authorize: allowOrganizations,
        locks: Locks.organization
      },
      function* ({ organization }, { records }) {
        const key = Base64Url.encode(yield* random.randomBytes(visitorKeyBytes))
        yield* requireInUse(records, organization)
        yield* records.update(organizations, Where.eq("id", organization), {
          visitorKey: yield* encryption.encrypt(key, visitorKeyPlace(organization))
        })
        return Redacted.make(key)
      }
    ),

    readUsage: query(
      "Administration.readUsage",
      { parameters: { organization: OrganizationId }, authorize: allowOrganizations },
      function* ({ organization }, { records }) {
        yield* requireInUse(records, organization)
        return yield* readUsage(records, organization)
      }
    )
  }
})

const makeMemberships = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const { allowMembership, allowMembers } = yield* makeOperatorAccess

  return {
    setMember: command(
      "Administration.setMember",
      {
        parameters: { organization: OrganizationId, user: UserId, input: UpdateMember },
        authorize: allowMembership,
        locks: ({ organization, user }) => Locks.membershipOf(organization, user)
      },
      function* ({ organization, user, input: { role } }, target) {
        const { records } = target
        if (target.member === undefined) {
          yield* insertMember(records, ids, target.owner, target.account, { role })
          return
        }
        if (role !== "admin") yield* requireOtherAdministrator(records, target.member)
        yield* records.update(members, membership(organization, user), { role })
        yield* rotateSessions(records, user)
      }
    ),

    listInvitations: query(
      "Administration.listInvitations",
      { parameters: { organization: OrganizationId }, authorize: allowMembers },
      function* ({ organization }, { records }) {
        yield* requireInUse(records, organization)
        const rows = yield* records.find(invitations, {
          where: Where.eq("organization", organization),
          orderBy: ["user"],
          limit: maximumInvitations
        })
        const accounts = yield* records.find(users, {
          select: ["id", "email"],
          where: Where.isIn<UserRow, "id">(
            "id",
            rows.map(({ user }) => user)
          )
        })
        const emails = new Map(accounts.map(({ id, email }) => [id, email]))
        return rows.map(
          (row): Invitation => ({
            object: "invitation",
            ...row,
            email: emails.get(row.user) ?? ""
          })
        )
      }
    ),

    revokeInvitation: command(
      "Administration.revokeInvitation",
      {
        parameters: { organization: OrganizationId, user: UserId },
        authorize: allowMembers,
        locks: Locks.organization
      },
      function* ({ organization, user }, { records }) {
        yield* requireInUse(records, organization)
        const invitation = yield* records.get(invitations, { organization, user })
        if (invitation === undefined) return yield* NotFound.of("invite")
        const member = yield* records.get(members, { organization, user })
        if (member !== undefined) yield* removeMembership(records, member)
      }
    )
  }
})

const makeBootstrap = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const tokens = yield* ApiTokens
  const { insertAccount, insertOrganization } = yield* makeInsertion

  return {
    bootstrap: command(
      "Administration.bootstrap",
      {
        parameters: { input: Bootstrap },
        authorize: allow.operator("a workspace without users"),
        serializable: "Runs once, and only if no account exists."
      },
      function* ({ input: { organization: title, email, secret: given } }, { records }) {
        const existing = yield* records.first(users, {})
        if (existing !== undefined) {
          yield* addAuditDetails({ isUnrecorded: true })
          return undefined
        }
        const administrator = yield* insertAccount(records, { email })
        const organization = yield* insertOrganization(records, { title }, administrator)
        // Not `decoded`: `CreateApiToken` bounds the length of the secret, and `Bootstrap` does not.
        const input = {
          user: administrator.id,
          label: "First administrator",
          ...(given === undefined ? {} : { secret: given })
        }
        // The token is limited to no organization that could be missing.
        const { secret } = yield* Effect.catchTag(tokens.create({ input }), "NotFound", Effect.die)
        return { administrator: administrator.id, organization, secret }
      }
    )
  }
})

const makeAdministration = Effect.gen(function* () {
  return {
    ...(yield* makeAccounts),
    ...(yield* makeOrganizations),
    ...(yield* makeMemberships),
    ...(yield* makeBootstrap)
  }
})

/** Operations of the operator of a workspace: see {@link AdministrationOperations}. */
export class Administration extends Context.Service<Administration, AdministrationOperations>()(
  "@lectern/core/Administration"
) {
  static readonly layer: Layer.Layer<
    Administration,
    never,
    Records | Operations | Ids | ApiTokens | Encryption | TransactionEvents
  > = Layer.effect(Administration, makeAdministration).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
