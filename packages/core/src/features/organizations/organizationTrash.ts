/** The trash of organizations: deletion, restoration, and the list of the organizations that a caller can restore. */

import {
  Access,
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  type CurrentUser,
  type GrantedRecords,
  Locks,
  Operations,
  type Query,
  withSignInSettings
} from "@lectern/access"
import { now, type StorageUnavailable, TransactionEvents, toTimestamp, Where } from "@lectern/kernel"
import {
  isInUse,
  type MemberRow,
  members,
  OrganizationRestored,
  type OrganizationRow,
  OrganizationTrashed,
  organizations,
  type SuspensionRow,
  suspensions
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import {
  type DeletedOrganization,
  OrganizationId,
  type OrganizationTrash,
  organizationRetentionMillis
} from "@lectern/model/organizations"
import { Clock, Effect } from "effect"
import { storeSuspensions, suspendedOf } from "./suspensions.ts"

/** Operations on the trash of organizations, on behalf of the `CurrentUser`. */
export interface OrganizationTrashOperations {
  /**
   * Moves the organization to the trash, from which it can be restored for 30 days; requires the role `admin` and a recent
   * sign-in. All other operations on it fail with `NotFound` from then on, its sites are not published, and its webhooks are not active.
   */
  readonly remove: Command<{ organization: OrganizationId }, void, AccessError>
  /**
   * Restores the organization from the trash, with the sites and webhooks that its deletion has suspended; requires the role `admin`
   * and a recent sign-in. An organization outside of the trash stays unchanged. Fails with `NotFound` after 30 days.
   */
  readonly restore: Command<{ organization: OrganizationId }, void, AccessError>
  /** Lists the organizations in the trash that the caller can restore, the last deleted one first: at most 100. */
  readonly listDeleted: Query<Record<never, never>, OrganizationTrash>
}

/** The maximum number of organizations in the trash that are listed. */
const maximumDeleted = 100

/** Returns the condition for organizations whose retention has not expired. */
const isRestorable = Effect.map(Clock.currentTimeMillis, (millis) =>
  Where.and<OrganizationRow>(
    Where.gt("deletedAt", toTimestamp(millis - organizationRetentionMillis)),
    Where.eq("isPurging", false)
  )
)

/** Converts an organization in the trash to the resource. */
export const presentDeleted = (
  { id, title }: Pick<OrganizationRow, "id" | "title">,
  deletedAt: string
): DeletedOrganization => ({
  object: "deleted-organization",
  id,
  title,
  deletedAt,
  restorableUntil: toTimestamp(Date.parse(deletedAt) + organizationRetentionMillis)
})

/** Creates the functions that move organizations to the trash and restore them, in transactions that lock them. */
export const makeOrganizationTrash = Effect.gen(function* () {
  const events = yield* TransactionEvents

  const ofOrganization = (organization: OrganizationId) =>
    Where.eq<MemberRow, "organization">("organization", organization)

  return {
    /** Moves an organization to the trash. Fails with `NotFound` if it does not exist or is in the trash. */
    moveToTrash: Effect.fnUntraced(function* (
      records: GrantedRecords,
      organization: OrganizationId
    ): Effect.fn.Return<DeletedOrganization, NotFound | StorageUnavailable> {
      const row = yield* records.get(organizations, { id: organization })
      if (!isInUse(row)) return yield* NotFound.of("organization")
      const deletedAt = yield* now
      const isEnabled = Where.and<MemberRow>(ofOrganization(organization), Where.eq("disabled", false))
      const enabled = yield* records.find(members, { select: ["user"], where: isEnabled })
      yield* storeSuspensions(
        records,
        organization,
        "members",
        enabled.map(({ user }) => user)
      )
      yield* records.update(members, isEnabled, { disabled: true })
      yield* records.update(organizations, Where.eq("id", organization), { deletedAt })
      yield* events.publish(OrganizationTrashed, { organization })
      return presentDeleted(row, deletedAt)
    }),

    /**
     * Restores an organization; one outside of the trash stays unchanged. Fails with `NotFound` if it does not exist, or was deleted
     * more than 30 days ago.
     */
    restore: Effect.fnUntraced(function* (
      records: GrantedRecords,
      organization: OrganizationId
    ): Effect.fn.Return<void, NotFound | StorageUnavailable> {
      const row = yield* records.get(organizations, { id: organization }, ["deletedAt"])
      if (isInUse(row)) return
      const restored = yield* records.update(
        organizations,
        Where.and<OrganizationRow>(Where.eq("id", organization), yield* isRestorable),
        { deletedAt: null }
      )
      if (restored === 0) return yield* NotFound.of("organization")
      yield* records.update(
        members,
        Where.and<MemberRow>(
          ofOrganization(organization),
          records.inSelect("user", suspensions, "subject", suspendedOf(organization, "members"))
        ),
        { disabled: false }
      )
      yield* events.publish(OrganizationRestored, { organization })
      yield* records.remove(
        suspensions,
        Where.eq<SuspensionRow, "organization">("organization", organization)
      )
    })
  }
})

/** Creates the operations. */
export const makeTrashOperations = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const access = yield* Access
  const { moveToTrash, restore } = yield* makeOrganizationTrash

  const administrate = allow.organization("administrate")

  /** Authorizes the administrators of an organization, also in the trash. */
  const allowRestoring: Authorization<
    { readonly organization: OrganizationId },
    { readonly caller: Caller },
    AccessError,
    CurrentUser
  > = {
    rule: administrate.rule,
    check: (target) =>
      Effect.catchTag(administrate.check(target), "NotFound", () =>
        access.deletedOrganization(target.organization, "administrate")
      )
  }

  return {
    remove: command(
      "Organizations.remove",
      {
        parameters: { organization: OrganizationId },
        authorize: withSignInSettings(administrate),
        locks: Locks.organization
      },
      function* ({ organization }, { records }) {
        yield* moveToTrash(records, organization)
      }
    ),

    restore: command(
      "Organizations.restore",
      {
        parameters: { organization: OrganizationId },
        authorize: withSignInSettings(allowRestoring),
        locks: Locks.organization
      },
      function* ({ organization }, { records }) {
        yield* restore(records, organization)
      }
    ),

    listDeleted: query(
      "Organizations.listDeleted",
      {
        parameters: {},
        authorize: allow.signedIn("the organizations in the trash that the caller can restore")
      },
      function* (_, { user: { id }, records }) {
        const administrated = yield* records.find(members, {
          select: ["organization"],
          where: Where.and<MemberRow>(
            Where.eq("user", id),
            Where.eq("role", "admin"),
            Where.eq("disabled", true)
          )
        })
        const ofCaller = administrated.map(({ organization }) => organization)
        if (ofCaller.length === 0) return { items: [] }
        const suspended = yield* records.find(suspensions, {
          select: ["organization"],
          where: Where.and<SuspensionRow>(
            Where.isIn("organization", ofCaller),
            Where.eq("kind", "members"),
            Where.eq("subject", id)
          )
        })
        const rows = yield* records.find(organizations, {
          select: ["id", "title", "deletedAt"],
          where: Where.and<OrganizationRow>(
            Where.isIn(
              "id",
              suspended.map(({ organization }) => organization)
            ),
            yield* isRestorable
          ),
          orderBy: ["deletedAt"],
          direction: "desc",
          limit: maximumDeleted
        })
        return { items: rows.map((row) => presentDeleted(row, row.deletedAt!)) }
      }
    )
  } satisfies OrganizationTrashOperations
})
