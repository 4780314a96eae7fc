/** The changes that a member may learn of, authorized again for each batch of events. */

import {
  type Access,
  type AccessError,
  type Caller,
  type CurrentUser,
  type GrantedReader,
  whereSharedSite
} from "@lectern/access"
import { type EventRow, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  announcedResource,
  type ChangeRequestRow,
  type CollectionRow,
  type CommentRow,
  changeRequests,
  collections,
  comments,
  type SiteRow,
  type SpaceRow,
  sites,
  spaces
} from "@lectern/kernel/tables"
import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { CommentId } from "@lectern/model/comments"
import { type AnnouncedChange, accessUpdated } from "@lectern/model/events"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, organizationActions } from "@lectern/model/roles"
import { Effect } from "effect"

type Data = EventRow["data"]

const textIn = (data: Data, field: string): string | undefined => {
  const value = data[field]
  return typeof value === "string" ? value : undefined
}

/** Returns the ids in a field of the events whose audience is that of another resource. */
const referenced = (
  rows: ReadonlyArray<EventRow>,
  kind: "changeRequest" | "comment"
): ReadonlyArray<string> => [
  ...new Set(
    rows.flatMap(({ type, data }) => {
      const { audience } = announcedResource(type)
      const id = "spaceOf" in audience && audience.spaceOf === kind ? textIn(data, kind) : undefined
      return id === undefined ? [] : [id]
    })
  )
]

/** Returns the spaces of the change requests and comments that events refer to, by their ids. */
const loadSpaces = Effect.fnUntraced(function* (records: GrantedReader, rows: ReadonlyArray<EventRow>) {
  const found = new Map<string, string>()
  const requests = referenced(rows, "changeRequest") as ReadonlyArray<ChangeRequestId>
  if (requests.length > 0) {
    const where = Where.isIn<ChangeRequestRow, "id">("id", requests)
    const loaded = yield* records.find(changeRequests, { where, select: ["id", "space"] })
    for (const { id, space } of loaded) found.set(id, space)
  }
  const threads = referenced(rows, "comment") as ReadonlyArray<CommentId>
  if (threads.length > 0) {
    const where = Where.isIn<CommentRow, "id">("id", threads)
    const loaded = yield* records.find(comments, { where, select: ["id", "space"] })
    for (const { id, space } of loaded) found.set(id, space)
  }
  return found
})

/** Returns the ids of all spaces and collections that a caller can see, and of the sites that are shared with a guest. */
const loadVisible = Effect.fnUntraced(function* (
  access: Access["Service"],
  records: GrantedReader,
  caller: Caller
) {
  const visible = yield* access.whereVisible(caller)
  const [spaceRows, [collectionRows, siteRows]] = yield* records.zipConcurrent(
    records.find(spaces, {
      select: ["id"],
      where: Where.and<SpaceRow>(
        Where.eq("organization", caller.organization),
        Where.isNull("deletedAt"),
        visible
      )
    }),
    records.zipConcurrent(
      records.find(collections, {
        select: ["id"],
        where: Where.and<CollectionRow>(Where.eq("organization", caller.organization), visible)
      }),
      caller.role === null && caller.granted.size > 0
        ? records.find(sites, {
            select: ["id"],
            where: Where.and<SiteRow>(Where.eq("organization", caller.organization), whereSharedSite(caller))
          })
        : Effect.succeed([])
    )
  )
  return new Set<string>([...spaceRows, ...collectionRows, ...siteRows].map(({ id }) => id))
})

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id))

/** Returns the change of an event, with the fields that are announced. */
const presentChange = (
  row: EventRow,
  organization: OrganizationId,
  space: string | undefined
): AnnouncedChange => ({
  object: "change",
  cursor: String(row.sequence),
  type: row.type,
  organization,
  ...(row.actor === null ? {} : { actor: row.actor }),
  createdAt: row.createdAt,
  data: {
    ...Object.fromEntries(
      announcedResource(row.type).fields.flatMap((field) => {
        const value = row.data[field]
        return typeof value === "string" || typeof value === "number" ? [[field, value]] : []
      })
    ),
    ...(space === undefined ? {} : { space })
  }
})

/** The changes of an organization for one member. */
export interface MemberChanges {
  /** Returns the changes among events that the member may learn of. Fails once they are not a member. */
  readonly select: (
    rows: ReadonlyArray<EventRow>
  ) => Effect.Effect<ReadonlyArray<AnnouncedChange>, AccessError | StorageUnavailable, CurrentUser>
}

/**
 * Starts to select the changes of an organization for the current user. Access is checked when changes are delivered, not
 * when they happened. If spaces, collections or shared sites appear or disappear for the member, there is a change
 * `access.updated`.
 */
export const makeMemberChanges = Effect.fnUntraced(function* (
  access: Access["Service"],
  organization: OrganizationId
): Effect.fn.Return<MemberChanges, AccessError | StorageUnavailable, CurrentUser> {
  const first = yield* access.organization(organization, "list")
  let visible = yield* loadVisible(access, first.grant.records, first.caller)
  /** Whether no batch was selected yet. Its changes can be from before the visible content was loaded. */
  let isFirst = true

  const select = Effect.fnUntraced(function* (rows: ReadonlyArray<EventRow>) {
    const { caller, grant } = yield* access.organization(organization, "list")
    const before = visible
    const affectsAccess = rows.some(({ type }) => announcedResource(type).affectsAccess === true)
    const isChanged = () => affectsAccess && (isFirst || !areEqual(before, visible))
    if (affectsAccess) {
      visible = yield* loadVisible(access, grant.records, caller)
    }
    const spaceOf = yield* loadSpaces(grant.records, rows)
    const canSee = (id: string | undefined) => id !== undefined && (visible.has(id) || before.has(id))
    const isFor = ({ type, data }: EventRow): boolean => {
      const { audience } = announcedResource(type)
      if (textIn(data, "user") === caller.user && "action" in audience) return true
      if ("site" in audience) return caller.role !== null || canSee(textIn(data, audience.site))
      if ("content" in audience) {
        const isOnSite = data.kind === "site" && caller.role !== null
        return isOnSite || canSee(textIn(data, audience.content))
      }
      if ("spaceOf" in audience) return canSee(spaceOf.get(textIn(data, audience.spaceOf) ?? ""))
      const needed = organizationActions[audience.action]
      return needed === null || isAtLeast(caller.role, needed)
    }
    const changes = rows.filter(isFor).map((row) => {
      const { audience } = announcedResource(row.type)
      const space = "spaceOf" in audience ? spaceOf.get(textIn(row.data, audience.spaceOf) ?? "") : undefined
      return presentChange(row, organization, space)
    })
    const last = rows.at(-1)
    const complete =
      last === undefined || !isChanged()
        ? changes
        : [...changes, accessUpdated(organization, String(last.sequence), last.createdAt)]
    isFirst = false
    return complete
  })
  return { select }
})
