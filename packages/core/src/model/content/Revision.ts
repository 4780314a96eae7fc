/** A revision: the content of a space, or of a change request, at one moment. It never changes. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { type BlobHash, Table } from "../../kernel/storage/index.ts"
import { ChangeRequest, type ChangeRequestId, changeRequests } from "../change-requests/ChangeRequest.ts"
import { type SpaceId, spaces } from "../spaces/Space.ts"
import type { UserId } from "../users/User.ts"
import { File } from "./File.ts"
import { Page } from "./Page.ts"
import { ReusableContent } from "./ReusableContent.ts"

export const RevisionId = idSchema("The id of a revision.").pipe(Schema.brand("RevisionId"))
export type RevisionId = typeof RevisionId.Type

/** How a revision came about. */
export const RevisionType = Schema.Literals(["edits", "merge", "update", "rollback", "computed"])
export type RevisionType = typeof RevisionType.Type

/** The commit of a git repository that content came from. */
export const GitCommit = Schema.Struct({
  oid: text({ min: 1, max: 100 }),
  message: text({ max: 10_000 }),
  /** Whether the commit was made by an export from here; false of imports. */
  createdByService: Schema.Boolean,
  url: Schema.optionalKey(Url),
  ref: Schema.optionalKey(text({ max: 1000 }))
}).annotate({ identifier: "GitCommit" })
export type GitCommit = typeof GitCommit.Type

/** A revision, as the specification shows one. `parents` are the revisions that it was made from. */
export const Revision = Schema.Struct({
  object: Schema.Literal("revision"),
  id: RevisionId,
  type: RevisionType,
  parents: Schema.Array(RevisionId),
  pages: Schema.Array(Page),
  files: Schema.Array(File),
  reusableContents: Schema.Array(ReusableContent),
  createdAt: Timestamp,
  git: Schema.optionalKey(GitCommit),
  urls: Schema.Struct({
    app: Schema.String,
    published: Schema.optionalKey(Schema.String),
    public: Schema.optionalKey(Schema.String)
  }),
  mergedFrom: Schema.optionalKey(ChangeRequest).annotate({
    description: "Of a merge: the change request that was merged."
  })
}).annotate({ identifier: "Revision", description: "The content of a space at one moment." })
export type Revision = typeof Revision.Type

/**
 * Where revisions are kept. `root` names the content. Those of a change request stay its own when it is merged;
 * `mergedFrom` is the change request that a merge brought in.
 */
export const revisions = Table.make("revisions", {
  columns: {
    id: Table.text<RevisionId>(),
    space: Table.text<SpaceId>(),
    changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
    type: Table.text<RevisionType>(),
    root: Table.text<BlobHash>(),
    parents: Table.json<ReadonlyArray<RevisionId>>(),
    mergedFrom: Table.nullable(Table.text<ChangeRequestId>()),
    author: Table.nullable(Table.text<UserId>()),
    message: Table.nullable(Table.text()),
    git: Table.nullable(Table.json<GitCommit>()),
    createdAt: Table.text()
  },
  key: ["id"],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    mergedFrom: { table: () => changeRequests, onRemove: "cascade" }
  },
  indexes: [["space"], ["changeRequest"], ["mergedFrom"], ["root"]]
})
export type RevisionRow = Table.Row<typeof revisions>
