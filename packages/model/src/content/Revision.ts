/** Revisions: immutable snapshots of the content of a space or of a change request. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { File } from "./File.ts"
import { Page } from "./Page.ts"
import { ReusableContent } from "./ReusableContent.ts"

/** The id of a revision. */
export const RevisionId = idSchema("The id of a revision.").pipe(Schema.brand("RevisionId"))

/** The id of a revision. */
export type RevisionId = string & Brand.Brand<"RevisionId">

/** The operation that created a revision. */
export const RevisionType = Schema.Literals(["edits", "merge", "update", "rollback", "computed"])

/** The operation that created a revision. */
export type RevisionType = typeof RevisionType.Type

/** The commit of a git repository that content was imported from. */
export class GitCommit extends resource<GitCommit>()(
  Schema.Struct({
    /** The hash of the commit, 1 to 100 characters. */
    oid: text({ min: 1, max: 100 }),
    /** The message of the commit, at most 10,000 characters. */
    message: text({ max: 10_000 }),
    /** Whether an export of this service created the commit. False for imports. */
    createdByService: Schema.Boolean,
    /** The URL of the commit. Absent if it is not set. */
    url: Schema.optionalKey(Url),
    /** The git reference, such as a branch, at most 1000 characters. Absent if it is not set. */
    ref: Schema.optionalKey(text({ max: 1000 }))
  }).annotate({ identifier: "GitCommit" })
) {}

/** An immutable snapshot of content. */
export class Revision extends resource<Revision>()(
  Schema.Struct({
    /** The type of the object: always `revision`. */
    object: Schema.Literal("revision"),
    /** The id of the revision. */
    id: RevisionId,
    /** The operation that created the revision. */
    type: RevisionType,
    /** The ids of the revisions that it is based on: none for the first, two for a merge or an update. */
    parents: Schema.Array(RevisionId),
    /** The pages at the root, in order, each with the pages below it. */
    pages: Schema.Array(Page),
    /** The tags of the content: none, because pages have no tags. */
    tags: Schema.Array(Schema.String),
    /** The files, newest first. */
    files: Schema.Array(File),
    /** The reusable contents, oldest first. */
    reusableContents: Schema.Array(ReusableContent),
    /** When the revision was created. */
    createdAt: Timestamp,
    /** The git commit that the content was imported from. Absent for other content, or if `metadata` is false. */
    git: Schema.optionalKey(GitCommit),
    /** URLs of the content. */
    urls: Schema.Struct({
      /** The URL of the content in the application. */
      app: Schema.String,
      /** The URL of the published content. Absent if the content is not published. */
      published: Schema.optionalKey(Schema.String),
      /** The public URL of the content. Absent if the content is not public. */
      public: Schema.optionalKey(Schema.String)
    }),
    /** The change request whose merge created the revision. Absent for other revisions. */
    mergedFrom: Schema.optionalKey(ChangeRequest)
  }).annotate({ identifier: "Revision", description: "An immutable snapshot of the content of a space." })
) {}
