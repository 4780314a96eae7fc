/** Authorizations of operations of the operator on accounts and organizations, and the rows of new ones. */

import {
  type Authorization,
  addAuditDetails,
  type Granted,
  type GrantedReader,
  type GrantedRecords,
  Operations
} from "@lectern/access"
import { Ids, now, type StorageUnavailable } from "@lectern/kernel"
import {
  isInUse,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import { type CreateOrganization, OrganizationId } from "@lectern/model/organizations"
import type { CreateUser, UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { insertMember, newUser } from "./memberships.ts"

/** The target of `setMember`: an existing membership, or the account and the organization of a new one. */
type MembershipTarget =
  | { readonly member: MemberRow }
  | { readonly member: undefined; readonly owner: OrganizationRow; readonly account: UserRow }

/** Loads an account. Fails with `NotFound` if it does not exist. */
export const getAccount = Effect.fnUntraced(function* (records: GrantedReader, id: UserId) {
  const user = yield* records.get(users, { id })
  return user ?? (yield* NotFound.of("user"))
})

/** Creates the authorizations of the operator. */
export const makeOperatorAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const allowAccounts = allow.operator("accounts of the host application")
  const allowOrganizations = allow.operator("organizations of the host application")
  const allowMembers = allow.operator("memberships of the host application")

  const allowAdministrator: Authorization<
    { readonly administrator: UserId },
    { readonly account: UserRow },
    NotFound,
    never
  > = {
    rule: allowOrganizations.rule,
    check: Effect.fnUntraced(function* ({ administrator }) {
      const { grant } = yield* allowOrganizations.check({})
      return { grant, account: yield* getAccount(grant.records, administrator) }
    })
  }

  const allowMembership: Authorization<
    { readonly organization: OrganizationId; readonly user: UserId },
    MembershipTarget,
    NotFound,
    never
  > = {
    rule: allowMembers.rule,
    check: Effect.fnUntraced(function* ({
      organization,
      user
    }): Effect.fn.Return<MembershipTarget & Granted, NotFound | StorageUnavailable> {
      const { grant } = yield* allowMembers.check({})
      const { records } = grant
      const owner = yield* records.get(organizations, { id: organization })
      if (!isInUse(owner)) return yield* NotFound.of("organization")
      const member = yield* records.get(members, { organization, user })
      if (member !== undefined) return { grant, member }
      return { grant, member, owner, account: yield* getAccount(records, user) }
    })
  }

  return {
    allowAccounts,
    allowOrganizations,
    allowMembers,
    allowAdministrator,
    allowMembership
  }
})

/** Creates the functions that insert accounts and organizations. */
export const makeInsertion = Effect.gen(function* () {
  const ids = yield* Ids

  const insertAccount = Effect.fnUntraced(function* (
    records: GrantedRecords,
    { email, displayName }: CreateUser
  ) {
    const row = yield* newUser(ids, email, displayName)
    yield* records.tryInsert(users, row).pipe(
      Effect.catchTag("UniqueViolation", () =>
        Effect.fail(
          new Conflict({
            reason: "EmailTaken",
            message: `Another account has the e-mail address "${email}". Choose another address.`
          })
        )
      )
    )
    return row
  })

  const insertOrganization = Effect.fnUntraced(function* (
    records: GrantedRecords,
    { title }: CreateOrganization,
    administrator: UserRow
  ) {
    const row: OrganizationRow = {
      id: OrganizationId.make(yield* ids.next),
      title,
      createdAt: yield* now,
      type: "business",
      useCase: null,
      communityType: null,
      emailDomains: [],
      hostname: null,
      defaultRole: "read",
      defaultContent: null,
      logo: null,
      sso: false,
      secondFactor: false,
      ai: false,
      inviteLinks: true,
      domainJoin: false,
      mergeRules: null,
      visitorKey: null,
      deletedAt: null,
      isPurging: false
    }
    yield* records.insert(organizations, row)
    yield* addAuditDetails({ organization: row.id })
    yield* insertMember(records, ids, row, administrator, { role: "admin" })
    return row.id
  })

  return { insertAccount, insertOrganization }
})
