import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { AnnouncePresence, ChangeRequestRef, PagePresences, SpaceId } from "../../index.ts"
import { changing } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

const description =
  "Announces that the caller has a page open, and returns who else has. An announcement expires after 45 seconds, unless it is repeated. Only users who can read the content see it. An extension of Lectern."

/** The group of operations on presence. */
export const PresenceApi = HttpApiGroup.make("presence")
  .add(
    HttpApiEndpoint.post("announcePresenceInSpace", "/spaces/:spaceId/presence", {
      params: { spaceId: SpaceId },
      payload: AnnouncePresence,
      success: PagePresences,
      error: changing
    }).annotateMerge(describe("Announce that a page of a space is open", description)),
    HttpApiEndpoint.post(
      "announcePresenceInChangeRequest",
      "/spaces/:spaceId/change-requests/:changeRequestId/presence",
      {
        params: { spaceId: SpaceId, changeRequestId: ChangeRequestRef },
        payload: AnnouncePresence,
        success: PagePresences,
        error: changing
      }
    ).annotateMerge(describe("Announce that a page of a change request is open", description))
  )
  .annotateMerge(describeGroup("Presence", "Who has a page open."))
