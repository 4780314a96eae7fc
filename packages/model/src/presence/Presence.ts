/** Who has a page open: announcements of editors, which expire. */
import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { User } from "../users/User.ts"

/** How long an announcement remains without another one, in milliseconds. */
export const presenceMillis = 45_000

/** The activity of a user on an open page. */
export const PresenceState = Schema.Literals(["viewing", "editing"])

/** The activity of a user on an open page. */
export type PresenceState = typeof PresenceState.Type

/** An announcement that the caller has a page open. */
export class AnnouncePresence extends resource<AnnouncePresence>()(
  Schema.Struct({
    /** The id of the page. */
    page: PageId,
    /** A name that the client chooses for its open page, 1 to 64 characters. It distinguishes several windows of a user. */
    client: text({ min: 1, max: 64 }),
    /** The activity of the caller on the page; `left` withdraws the announcement. */
    state: Schema.Literals(["viewing", "editing", "left"])
  }).annotate({ identifier: "AnnouncePresence" })
) {}

/** A user who has the page open. */
export class PagePresence extends resource<PagePresence>()(
  Schema.Struct({
    /** The name that the client of the user has chosen. It is unique together with the user. */
    client: Schema.String,
    /** The user. */
    user: User,
    /** The activity of the user on the page. */
    state: PresenceState,
    /** When the announcement expires, unless it is repeated. */
    expiresAt: Timestamp
  }).annotate({ identifier: "PagePresence" })
) {}

/** The other users and windows that have the page open. */
export class PagePresences extends resource<PagePresences>()(
  Schema.Struct({
    /** The others, at most 100, by the names of their clients. */
    others: Schema.Array(PagePresence),
    /** When the announcement of the caller expires. Clients repeat it several times before. */
    expiresAt: Timestamp
  }).annotate({ identifier: "PagePresences" })
) {}
