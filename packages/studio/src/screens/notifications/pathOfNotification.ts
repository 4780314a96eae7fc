/** The places that notifications open. */
import type { Notification } from "@lectern/client/fetch"
import { pagePath } from "../../router/pagePaths.ts"
import { fillPath } from "../../router/paths.ts"

/** Returns the path of a comment, in the panel of its page. */
const commentPath = (
  place: { readonly spaceId: string; readonly change?: string },
  { id, page }: NonNullable<Notification["comment"]>
): string =>
  `${pagePath(place, page === undefined ? undefined : { id: page })}?${new URLSearchParams({ panel: "comments", comment: id })}`

/** Returns the path of the subject of a notification: the review of a change request, or the space, or the start page. */
export const pathOfNotification = ({ kind, space, changeRequest, comment }: Notification): string => {
  if (space === undefined) return kind === "webhookDisabled" ? "/organization/webhooks" : "/"
  if (changeRequest !== undefined) {
    const number = String(changeRequest.number)
    if (comment?.page !== undefined) return commentPath({ spaceId: space.id, change: number }, comment)
    return kind === "merged"
      ? fillPath("/spaces/:space/changes/:number", { space: space.id, number })
      : `${fillPath("/spaces/:space/changes/:number/review", { space: space.id, number })}${
          comment === undefined ? "" : "?panel=comments"
        }`
  }
  if (kind === "importFailed") return fillPath("/spaces/:space/import", { space: space.id })
  if (kind === "synchronizationFailed") return fillPath("/spaces/:space/sync", { space: space.id })
  return comment === undefined ? pagePath({ spaceId: space.id }) : commentPath({ spaceId: space.id }, comment)
}
