import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ChangeRequestRef, SpaceId } from "../../index.ts"
import { describeGroup } from "../shared/describe.ts"
import { threads } from "./threads.ts"

/** The group of operations on the comments on a space. */
export const CommentsApi = HttpApiGroup.make("comments")
  .add(...threads("InSpace", "/spaces/:spaceId/comments", { spaceId: SpaceId }, "a space"))
  .annotateMerge(describeGroup("Space comments", "Comments, replies and reactions on spaces."))

/** The group of operations on the comments on a change request. */
export const ChangeRequestCommentsApi = HttpApiGroup.make("changeRequestComments")
  .add(
    ...threads(
      "InChangeRequest",
      "/spaces/:spaceId/change-requests/:changeRequestId/comments",
      { spaceId: SpaceId, changeRequestId: ChangeRequestRef },
      "a change request"
    )
  )
  .annotateMerge(
    describeGroup("Change request comments", "Comments, replies and reactions on change requests.")
  )
