/** Events that the pages of published sites report. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"

/** The type of an event. */
export const SiteEventType = Schema.Literals([
  "page_view",
  "search_open",
  "search_type_query",
  "search_open_result",
  "page_post_feedback",
  "page_post_feedback_comment",
  "ask_question",
  "ask_view",
  "ask_rate_response",
  "link_click",
  "api_client_open",
  "api_client_request",
  "trademark_click",
  "ad_click",
  "ad_display"
])

/** The type of an event. */
export type SiteEventType = typeof SiteEventType.Type

/** The maximum number of events of one request. */
const maximumEvents = 100

/** The events of a page. Lectern counts their types per day, and ignores their other fields. */
export class TrackSiteEvents extends resource<TrackSiteEvents>()(
  Schema.Struct({
    /** Up to 100 events. */
    events: Schema.Array(
      Schema.Struct({
        /** The type of the event. */
        type: SiteEventType
      })
    ).check(Schema.isMaxLength(maximumEvents, { message: `must be at most ${maximumEvents} events` }))
  }).annotate({ identifier: "TrackSiteEvents" })
) {}
