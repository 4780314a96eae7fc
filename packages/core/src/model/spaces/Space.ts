/** A space: a container of documentation. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { CollectionId, collections } from "../collections/Collection.ts"
import type { RevisionId } from "../content/Revision.ts"
import { OrganizationId, organizations } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"

export const SpaceId = idSchema("The id of a space.").pipe(Schema.brand("SpaceId"))
export type SpaceId = typeof SpaceId.Type

/** Whether users edit the content directly (`live`), or only by change requests (`locked`). */
export const EditMode = Schema.Literals(["live", "locked"])
export type EditMode = typeof EditMode.Type

/** Who can read the content of a space. */
export const ContentVisibility = Schema.Literals([
  "public",
  "unlisted",
  "share-link",
  "visitor-auth",
  "in-collection",
  "private"
])
export type ContentVisibility = typeof ContentVisibility.Type

/** An emoji: a character, or its code point in hexadecimal. */
export const Emoji = text({ min: 1, max: 50 })

/** What the caller may do with the space. */
export const SpacePermissions = Schema.Struct({
  view: Schema.Boolean,
  access: Schema.Boolean,
  admin: Schema.Boolean,
  viewInviteLinks: Schema.Boolean,
  edit: Schema.Boolean,
  triggerGitSync: Schema.Boolean,
  comment: Schema.Boolean,
  merge: Schema.Boolean,
  review: Schema.Boolean,
  installIntegration: Schema.Boolean
})

/** A space, as the specification shows one. */
export const Space = Schema.Struct({
  object: Schema.Literal("space"),
  id: SpaceId,
  title: text({ max: 50 }),
  emoji: Emoji,
  visibility: ContentVisibility,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Schema.optionalKey(Timestamp),
  editMode: Schema.optionalKey(EditMode),
  mergeRules: Schema.Struct({ type: Schema.Literal("inherit") }),
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    published: Schema.optionalKey(Schema.String),
    public: Schema.optionalKey(Schema.String),
    icon: Schema.optionalKey(Schema.String)
  }),
  organization: OrganizationId,
  parent: Schema.optionalKey(CollectionId),
  revision: Schema.String,
  defaultLevel: DefaultLevel,
  comments: Schema.Int,
  changeRequests: Schema.Int,
  changeRequestsOpen: Schema.Int,
  changeRequestsDraft: Schema.Int,
  permissions: SpacePermissions
}).annotate({ identifier: "Space", description: "A container of documentation: pages and files." })
export type Space = typeof Space.Type

/** What a space is made from. */
export const CreateSpace = Schema.Struct({
  title: Schema.optionalKey(trimmed({ max: 50 })),
  emoji: Schema.optionalKey(Emoji),
  parent: Schema.optionalKey(CollectionId),
  editMode: Schema.optionalKey(EditMode)
}).annotate({ identifier: "CreateSpace" })
export type CreateSpace = typeof CreateSpace.Type

/** What can be changed of a space. What is left out stays; a null emoji or icon goes back to the default. */
export const UpdateSpace = Schema.Struct({
  title: Schema.optionalKey(trimmed({ max: 50 })),
  emoji: Schema.optionalKey(Schema.NullOr(Emoji)),
  icon: Schema.optionalKey(Schema.NullOr(Url)),
  editMode: Schema.optionalKey(EditMode),
  defaultLevel: Schema.optionalKey(DefaultLevel)
}).annotate({ identifier: "UpdateSpace" })
export type UpdateSpace = typeof UpdateSpace.Type

/** How a space is asked for. */
export const SpaceQuery = Schema.Struct({
  /** The key of a share link: the address of what is published is the one that it opens. */
  shareKey: Schema.optionalKey(text({ max: 255 }))
})

/**
 * Where spaces are kept. `path` and `level` follow from the space and the collections above it
 * (`Placement.ts`). A space with `deletedAt` is in the bin, until it is restored or purged.
 */
export const spaces = Table.make("spaces", {
  columns: {
    id: Table.text<SpaceId>(),
    organization: Table.text<OrganizationId>(),
    title: Table.text(),
    emoji: Table.nullable(Table.text()),
    icon: Table.nullable(Table.text()),
    parent: Table.nullable(Table.text<CollectionId>()),
    position: Table.text(),
    path: Table.text(),
    defaultLevel: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
    level: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
    editMode: Table.text<EditMode>(),
    revision: Table.text<RevisionId>(),
    comments: Table.integer(),
    changeRequests: Table.integer(),
    changeRequestsOpen: Table.integer(),
    changeRequestsDraft: Table.integer(),
    createdAt: Table.text(),
    updatedAt: Table.text(),
    deletedAt: Table.nullable(Table.text()),
    /** The published site that the space is on, the most open one: for whom, and its address or path there. */
    published: Table.nullable(
      Table.json<{
        readonly visibility: "public" | "unlisted" | "share-link" | "visitor-auth"
        readonly url: string
      }>()
    )
  },
  key: ["id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    parent: { table: () => collections, onRemove: "restrict" }
  },
  indexes: [
    ["organization", "id"],
    ["organization", "parent", "position"],
    ["organization", "path"],
    ["parent", "position"],
    ["organization", "deletedAt", "level"],
    ["deletedAt"]
  ]
})
export type SpaceRow = Table.Row<typeof spaces>
