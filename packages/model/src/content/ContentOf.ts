/** References to content. */

import * as Schema from "effect/Schema"
import { ChangeRequestRef } from "../change-requests/ChangeRequest.ts"
import { resource } from "../schema/resource.ts"
import { SpaceId } from "../spaces/Space.ts"
import { RevisionId } from "./Revision.ts"

/** Names content: that of a space, of a change request, or of a revision of the space. */
export class ContentOf extends resource<ContentOf>()(
  Schema.Struct({
    /** The space that the content belongs to. */
    space: SpaceId,
    /** The id or the number of a change request of the space. Absent for the primary content of the space. */
    changeRequest: Schema.optionalKey(ChangeRequestRef),
    /** A revision of the space. Absent for the current content. */
    revision: Schema.optionalKey(RevisionId)
  })
) {}

/** Names content that can be edited: that of a space or of a change request. Revisions are immutable. */
export class EditableContent extends resource<EditableContent>()(
  Schema.Struct({
    /** The space that the content belongs to. */
    space: SpaceId,
    /** The id or the number of a change request of the space. Absent for the primary content of the space. */
    changeRequest: Schema.optionalKey(ChangeRequestRef)
  })
) {}
