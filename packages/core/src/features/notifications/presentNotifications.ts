/** Converts notifications to resources, with the current titles of their subjects. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type CommentRow,
  changeRequests,
  comments,
  type NotificationRow,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { CommentId } from "@lectern/model/comments"
import type { PageId } from "@lectern/model/content"
import type { Notification } from "@lectern/model/notifications"
import { Effect } from "effect"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { presentUsers } from "../../views/users/presentUsers.ts"

type About = Pick<ChangeRequestRow, "id" | "space" | "number" | "subject">

/** Returns the ids of a column that are not null. */
const idsOf = <K extends "actor" | "space" | "changeRequest" | "comment">(
  rows: ReadonlyArray<NotificationRow>,
  column: K
): ReadonlyArray<NonNullable<NotificationRow[K]>> => [...new Set(rows.flatMap((row) => row[column] ?? []))]

/** Returns the URL of the subject of a notification. */
const appUrlOf = (base: string, { space }: NotificationRow, changeRequest: About | undefined): string => {
  if (changeRequest !== undefined) return changeRequestAppUrl(base, changeRequest)
  return space === null ? `${base}/` : `${base}/s/${space}/`
}

/** Loads the subjects of notifications, with one query for each table. */
export const presentNotifications = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  rows: ReadonlyArray<NotificationRow>
): Effect.fn.Return<ReadonlyArray<Notification>, StorageUnavailable> {
  const actors = yield* presentUsers(records, base, idsOf(rows, "actor"))
  const spaceRows = yield* records.find(spaces, {
    select: ["id", "title"],
    where: Where.isIn<SpaceRow, "id">("id", idsOf(rows, "space"))
  })
  const changeRequestRows = yield* records.find(changeRequests, {
    select: ["id", "space", "number", "subject"],
    where: Where.isIn<ChangeRequestRow, "id">("id", idsOf(rows, "changeRequest"))
  })
  const commentRows = yield* records.find(comments, {
    select: ["id", "page"],
    where: Where.isIn<CommentRow, "id">("id", idsOf(rows, "comment"))
  })
  const spaceOf = new Map(spaceRows.map(({ id, title }) => [id, { id, title }]))
  const changeRequestOf = new Map(changeRequestRows.map((row) => [row.id, row]))
  const pageOf = new Map<CommentId, PageId | null>(commentRows.map(({ id, page }) => [id, page]))
  return rows.map((row): Notification => {
    const actor = row.actor === null ? undefined : actors.get(row.actor)
    const space = row.space === null ? undefined : spaceOf.get(row.space)
    const about = row.changeRequest === null ? undefined : changeRequestOf.get(row.changeRequest)
    const page = row.comment === null ? null : (pageOf.get(row.comment) ?? null)
    return {
      object: "notification",
      id: row.id,
      kind: row.kind,
      ...(actor === undefined ? {} : { actor }),
      ...(space === undefined ? {} : { space }),
      ...(about === undefined
        ? {}
        : { changeRequest: { id: about.id, number: about.number, subject: about.subject } }),
      ...(row.comment === null ? {} : { comment: { id: row.comment, ...(page === null ? {} : { page }) } }),
      createdAt: row.createdAt,
      ...(row.readAt === null ? {} : { readAt: row.readAt }),
      urls: { app: appUrlOf(base, row, about) }
    }
  })
})
