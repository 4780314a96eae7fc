/** How callers name content. */
import { Schema } from "effect"
import { ChangeRequestRef } from "../change-requests/ChangeRequest.ts"
import { SpaceId } from "../spaces/Space.ts"
import { RevisionId } from "./Revision.ts"

/** Names content: a space's, a change request's, or that of any revision of the space. */
export const ContentOf = Schema.Struct({
  space: SpaceId,
  changeRequest: Schema.optionalKey(ChangeRequestRef),
  revision: Schema.optionalKey(RevisionId)
})
export type ContentOf = typeof ContentOf.Type
