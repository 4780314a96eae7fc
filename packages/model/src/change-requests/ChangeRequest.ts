/** A change request: changes proposed to the content of a space. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, trimmed } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { User, UserId } from "../users/User.ts"

/** The id of a change request. */
export const ChangeRequestId = idSchema("The id of a change request.").pipe(Schema.brand("ChangeRequestId"))

/** The id of a change request. */
export type ChangeRequestId = string & Brand.Brand<"ChangeRequestId">

/** Identifies a change request of a space: its id, or its number in the space. */
export const ChangeRequestRef = idSchema("The id of a change request, or its number in the space.")

/** The state of a change request. `merged` is final. */
export const ChangeRequestStatus = Schema.Literals(["draft", "open", "archived", "merged"])

/** The state of a change request. `merged` is final. */
export type ChangeRequestStatus = typeof ChangeRequestStatus.Type

/** The subject of a change request, at most 100 characters. */
export const Subject = trimmed({ max: 100 })

/** A description: a document of the same shape as the document of a page. Operations validate its nodes. */
export const ChangeRequestDescription = Schema.Struct({
  /** The type of the object: always `document`. */
  object: Schema.Literal("document"),
  /** Data of the document. */
  data: Schema.Record(Schema.String, Schema.Unknown),
  /** The blocks of the document, in order. */
  nodes: Schema.Array(Schema.Unknown)
}).annotate({ identifier: "ChangeRequestDescription" })

/** A description of a change request. */
export type ChangeRequestDescription = typeof ChangeRequestDescription.Type

/** Changes proposed to the content of a space. */
export class ChangeRequest extends resource<ChangeRequest>()(
  Schema.Struct({
    /** The type of the resource: always `change-request`. */
    object: Schema.Literal("change-request"),
    /** The id of the change request. */
    id: ChangeRequestId,
    /** The number of the change request in its space, starting at 1. */
    number: Schema.Int,
    /** The state of the change request. `merged` is final. */
    status: ChangeRequestStatus,
    /** The subject of the change request. Empty if it was created without one. */
    subject: Schema.String,
    /** The description of the change request, as a document. Absent if it is not set. */
    description: Schema.optionalKey(ChangeRequestDescription),
    /** The user who created the change request. */
    createdBy: User,
    /** When the change request was created. */
    createdAt: Timestamp,
    /** When the change request or its content was last changed. */
    updatedAt: Timestamp,
    /** The space that the change request belongs to. */
    space: SpaceId,
    /** The id of the revision that the change request proposes. */
    revision: Schema.String,
    /** The id of the revision of the space that the change request was created from. */
    revisionInitial: Schema.String,
    /**
     * The id of the revision of the space that the change request was last updated from. Absent if it was never
     * updated.
     */
    revisionMergedAncestor: Schema.optionalKey(Schema.String),
    /** The id of the revision of the space that the merge created. Absent if the change request is not merged. */
    revisionMerged: Schema.optionalKey(Schema.String),
    /**
     * The id of the revision of the space that undid the merge: it has the content of a revision before the merge. Absent if the
     * change request is not merged, or the merge is not undone.
     */
    undoneBy: Schema.optionalKey(Schema.String),
    /** The number of open comments on the change request. */
    comments: Schema.Int,
    /** Whether the space has changed since the change request was created or last updated. False once merged. */
    outdated: Schema.Boolean,
    /** The rules for merging the change request: the rules of the space by default. */
    mergeRules: MergeRules,
    /** URLs of the change request. */
    urls: Schema.Struct({
      /** The URL of the change request in the application. */
      app: Schema.String,
      /** The URL of the change request in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "ChangeRequest" })
) {}

/** The fields of a new change request. */
export class CreateChangeRequest extends resource<CreateChangeRequest>()(
  Schema.Struct({
    /** The subject of the change request, at most 100 characters. Empty by default. */
    subject: Schema.optionalKey(Subject),
    /**
     * A merged change request of the space, whose changes the new one proposes again, such as after its merge was undone. Without it, the
     * new one has the current content of the space.
     */
    reapplies: Schema.optionalKey(ChangeRequestRef),
    /** The id of the agent task that the change request implements. It is stored and never returned. */
    agentTaskId: Schema.optionalKey(idSchema("The id of the agent task that the change request implements."))
  }).annotate({ identifier: "CreateChangeRequest" })
) {}

/** The fields of a change request to update. Absent fields do not change. */
export class UpdateChangeRequest extends resource<UpdateChangeRequest>()(
  Schema.Struct({
    /** The subject of the change request, at most 100 characters. */
    subject: Schema.optionalKey(Subject),
    /**
     * The description, a document that converts to at most 10,000 characters of Markdown. An empty document removes it.
     */
    description: Schema.optionalKey(ChangeRequestDescription),
    /** The rules for merging the change request. Requires the role `admin` on the space. */
    mergeRules: Schema.optionalKey(MergeRules),
    /** The new state. `merged` is a conflict: use the merge operation instead. */
    status: Schema.optionalKey(ChangeRequestStatus)
  }).annotate({ identifier: "UpdateChangeRequest" })
) {}

/** The filter and the page of a list of change requests, which match all given filters. */
export class ListChangeRequests extends resource<ListChangeRequests>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** The state to list; `open` by default. */
    status: Schema.optionalKey(ChangeRequestStatus),
    /** Lists only change requests that this user created. */
    creator: Schema.optionalKey(UserId),
    /** Lists only change requests that this user created or whose content they changed. */
    contributor: Schema.optionalKey(UserId)
  })
) {}
