/** The history of the content of a space: its revisions, and the pages that were deleted. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { User } from "../users/User.ts"
import { SemanticChangeType } from "./Changes.ts"
import { PageId, PageType } from "./Page.ts"
import { GitCommit, RevisionId, RevisionType } from "./Revision.ts"

/** The most significant change of an edit, and the number of its changes. */
export class RevisionChanges extends resource<RevisionChanges>()(
  Schema.Struct({
    /** The type of the most significant change: a creation before a deletion, a move and an edit, and a page before other content. */
    type: SemanticChangeType,
    /** The title of the page or the reusable content, or the name of the file, that the most significant change concerns. */
    title: Schema.String,
    /** The number of all changes. */
    count: Schema.Int
  }).annotate({ identifier: "RevisionChanges" })
) {}

/** A revision of a space or of a change request, without its content. */
export class RevisionSummary extends resource<RevisionSummary>()(
  Schema.Struct({
    /** The type of the object: always `revision-summary`. */
    object: Schema.Literal("revision-summary"),
    /** The id of the revision. */
    id: RevisionId,
    /** The operation that created the revision. */
    type: RevisionType,
    /** The ids of the revisions that it is based on: none for the first, two for a merge. */
    parents: Schema.Array(RevisionId),
    /** The user who created the revision. Absent if the workspace did. */
    author: Schema.optionalKey(User),
    /** The message of the edit. Absent if it has no message. */
    message: Schema.optionalKey(Schema.String),
    /** The changes of the revision. Absent for the first revision, for merges, imported commits and edits with a message, and without changes. */
    changes: Schema.optionalKey(RevisionChanges),
    /** The git commit that the content was imported from. Absent for other content. */
    git: Schema.optionalKey(GitCommit),
    /** The id of the change request whose merge created the revision. Absent for other revisions. */
    mergedFrom: Schema.optionalKey(Schema.String),
    /** The change request whose merge created the revision. Absent for other revisions. */
    changeRequest: Schema.optionalKey(
      Schema.Struct({
        /** The number of the change request in its space. */
        number: Schema.Int,
        /** The subject of the change request. Empty without a subject. */
        subject: Schema.String
      })
    ),
    /** The time of the first of the automatic saves that the revision consists of. `createdAt` is that of the last one. Absent for other revisions. */
    automaticSince: Schema.optionalKey(Timestamp),
    /** When the revision was created. */
    createdAt: Timestamp,
    /** URLs of the revision. */
    urls: Schema.Struct({
      /** The URL of the revision in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "RevisionSummary" })
) {}

/** A page that was deleted from the content of a space, and can be restored. */
export class ArchivedPage extends resource<ArchivedPage>()(
  Schema.Struct({
    /** The type of the object: always `archived-page`. */
    object: Schema.Literal("archived-page"),
    /** The id of the page. */
    id: PageId,
    /** The type of the page. */
    type: PageType,
    /** The title of the page when it was deleted. */
    title: Schema.String,
    /** The id of the last revision that has the page. */
    revision: RevisionId,
    /** When the page was deleted. */
    archivedAt: Timestamp
  }).annotate({ identifier: "ArchivedPage" })
) {}
