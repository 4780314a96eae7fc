/** A change request: changes proposed to the content of a space, to be merged into it. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import type { RevisionId } from "../content/Revision.ts"
import { SpaceId, spaces } from "../spaces/Space.ts"
import { User, UserId, users } from "../users/User.ts"

export const ChangeRequestId = idSchema("The id of a change request.").pipe(Schema.brand("ChangeRequestId"))
export type ChangeRequestId = typeof ChangeRequestId.Type

/** Names a change request of a space: its id, or its number. */
export const ChangeRequestRef = idSchema("The id of a change request, or its number in the space.")

/** The state of a change request. `merged` is final (decision D8). */
export const ChangeRequestStatus = Schema.Literals(["draft", "open", "archived", "merged"])
export type ChangeRequestStatus = typeof ChangeRequestStatus.Type

/** What a change request is about, at most 100 characters. */
export const Subject = trimmed({ max: 100 })

/** A change request, as the specification shows one. */
export const ChangeRequest = Schema.Struct({
  object: Schema.Literal("change-request"),
  id: ChangeRequestId,
  number: Schema.Int.annotate({ description: "Its number in the space, from 1 on." }),
  status: ChangeRequestStatus,
  subject: Schema.String,
  createdBy: User,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  space: SpaceId,
  revision: Schema.String.annotate({ description: "The revision that it proposes." }),
  revisionInitial: Schema.String.annotate({
    description: "The revision of the space that it was made from."
  }),
  revisionMergedAncestor: Schema.optionalKey(Schema.String).annotate({
    description: "The revision of the space that it was last updated with."
  }),
  revisionMerged: Schema.optionalKey(Schema.String).annotate({
    description: "The revision of the space that came of merging it."
  }),
  comments: Schema.Int.annotate({ description: "How many comments on it are open." }),
  outdated: Schema.Boolean.annotate({
    description: "Whether the content of the space has moved on since it was made or updated."
  }),
  urls: Schema.Struct({ app: Schema.String, location: Schema.String })
}).annotate({ identifier: "ChangeRequest", description: "Changes proposed to the content of a space." })
export type ChangeRequest = typeof ChangeRequest.Type

/** What a change request is made from. `agentTaskId` is kept, and returned to nobody. */
export const CreateChangeRequest = Schema.Struct({
  subject: Schema.optionalKey(Subject),
  agentTaskId: Schema.optionalKey(idSchema("The id of the task of an agent that it implements."))
}).annotate({ identifier: "CreateChangeRequest" })
export type CreateChangeRequest = typeof CreateChangeRequest.Type

/** What can be changed of a change request. It becomes merged by merging alone: asking for it here is a conflict. */
export const UpdateChangeRequest = Schema.Struct({
  subject: Schema.optionalKey(Subject),
  status: Schema.optionalKey(ChangeRequestStatus)
}).annotate({ identifier: "UpdateChangeRequest" })
export type UpdateChangeRequest = typeof UpdateChangeRequest.Type

/** Which change requests to list: open ones by default. */
export const ListChangeRequests = Schema.Struct({
  ...PageQuery.fields,
  status: Schema.optionalKey(ChangeRequestStatus),
  creator: Schema.optionalKey(UserId),
  contributor: Schema.optionalKey(UserId)
})
export type ListChangeRequests = typeof ListChangeRequests.Type

/** Where change requests are kept. `revision` is what is proposed. */
export const changeRequests = Table.make("changeRequests", {
  columns: {
    id: Table.text<ChangeRequestId>(),
    space: Table.text<SpaceId>(),
    number: Table.integer(),
    status: Table.text<ChangeRequestStatus>(),
    subject: Table.text(),
    createdBy: Table.text<UserId>(),
    agentTaskId: Table.nullable(Table.text()),
    revision: Table.text<RevisionId>(),
    revisionInitial: Table.text<RevisionId>(),
    revisionMergedAncestor: Table.nullable(Table.text<RevisionId>()),
    revisionMerged: Table.nullable(Table.text<RevisionId>()),
    comments: Table.integer(),
    createdAt: Table.text(),
    updatedAt: Table.text()
  },
  key: ["id"],
  unique: [["space", "number"]],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    createdBy: { table: () => users, onRemove: "restrict" }
  },
  indexes: [["space", "status", "number"], ["createdBy"]]
})
export type ChangeRequestRow = Table.Row<typeof changeRequests>

/** Who made a change request, or changed its content. */
export const contributors = Table.make("changeRequestContributors", {
  columns: {
    changeRequest: Table.text<ChangeRequestId>(),
    user: Table.text<UserId>()
  },
  key: ["changeRequest", "user"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})
