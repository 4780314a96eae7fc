/** A space: a container of documentation. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { CollectionId } from "../collections/Collection.ts"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { GitSyncState } from "./GitSyncState.ts"

/** The id of a space. */
export const SpaceId = idSchema("The id of a space.").pipe(Schema.brand("SpaceId"))

/** The id of a space. */
export type SpaceId = string & Brand.Brand<"SpaceId">

/** Whether users edit the content directly (`live`), or only by change requests (`locked`). */
export const EditMode = Schema.Literals(["live", "locked"])

/** How the content of a space can be edited. */
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

/** The audience of the content of a space. */
export type ContentVisibility = typeof ContentVisibility.Type

/** An emoji: a character, or its code point in hexadecimal. */
export const Emoji = text({ min: 1, max: 50 })

/** The permissions of the caller on the space. */
export class SpacePermissions extends resource<SpacePermissions>()(
  Schema.Struct({
    /** Whether the caller can see the space. */
    view: Schema.Boolean,
    /** Whether the caller can read the content of the space. */
    access: Schema.Boolean,
    /** Whether the caller can administer the space. */
    admin: Schema.Boolean,
    /** Whether the caller can rename, move and duplicate the space. */
    rename: Schema.Boolean,
    /** Whether the caller can list the invite links of the space. */
    viewInviteLinks: Schema.Boolean,
    /** Whether the caller can edit the content of the space and create change requests. */
    edit: Schema.Boolean,
    /** Whether the caller can trigger Git synchronization. */
    triggerGitSync: Schema.Boolean,
    /** Whether the caller can comment on the content of the space. */
    comment: Schema.Boolean,
    /** Whether the caller can merge change requests. */
    merge: Schema.Boolean,
    /** Whether the caller can review change requests. */
    review: Schema.Boolean,
    /** Whether the caller can install integrations on the space. */
    installIntegration: Schema.Boolean
  })
) {}

/** A container of documentation: pages and files. */
export class Space extends resource<Space>()(
  Schema.Struct({
    /** The type of the resource: always `space`. */
    object: Schema.Literal("space"),
    /** The id of the space. */
    id: SpaceId,
    /** The title of the space, at most 50 characters. */
    title: text({ max: 50 }),
    /** The emoji of the space: a character, or its code point in hexadecimal. */
    emoji: Emoji,
    /** Who can read the content of the space. */
    visibility: ContentVisibility,
    /** When the space was created. */
    createdAt: Timestamp,
    /** When the space or its content was last changed. */
    updatedAt: Timestamp,
    /** When the space was moved to the trash. Absent if it is not in the trash. */
    deletedAt: Schema.optionalKey(Timestamp),
    /** Whether users edit the content directly (`live`), or only by change requests (`locked`). */
    editMode: Schema.optionalKey(EditMode),
    /** The rules for merging change requests: the rules of the organization by default. */
    mergeRules: MergeRules,
    /** URLs of the space. */
    urls: Schema.Struct({
      /** The URL of the space in the API. */
      location: Schema.String,
      /** The URL of the space in the application. */
      app: Schema.String,
      /** The URL of the published content. Absent if the space is not on a published site. */
      published: Schema.optionalKey(Schema.String),
      /** The URL of the published content. Absent unless everyone with the URL can read it. */
      public: Schema.optionalKey(Schema.String),
      /** The URL of the icon. Absent if it is not set. */
      icon: Schema.optionalKey(Schema.String)
    }),
    /** The organization that owns the space. */
    organization: OrganizationId,
    /** The parent collection. Absent at the root of the organization. */
    parent: Schema.optionalKey(CollectionId),
    /**
     * The place among the collections and spaces of the same parent: in the order of their Unicode code points, keys have the
     * order of the items. A move changes it.
     */
    sortKey: Schema.String,
    /** The Git repository that the space is synchronized with. Absent if it is not set. */
    gitSync: Schema.optionalKey(GitSyncState),
    /** The id of the current revision of the content. */
    revision: Schema.String,
    /** The default role of members on the space: `inherit` for the level of the parent, null for no role. */
    defaultLevel: DefaultLevel,
    /** The number of open comments on the space, excluding comments on its change requests. */
    comments: Schema.Int,
    /** The number of change requests that were ever created in the space. */
    changeRequests: Schema.Int,
    /** The number of open change requests. */
    changeRequestsOpen: Schema.Int,
    /** The number of draft change requests. */
    changeRequestsDraft: Schema.Int,
    /** The permissions of the caller on the space. */
    permissions: SpacePermissions
  }).annotate({ identifier: "Space", description: "A container of documentation: pages and files." })
) {}

/** The input for creating a space. */
export class CreateSpace extends resource<CreateSpace>()(
  Schema.Struct({
    /** The title of the space, at most 50 characters; `Untitled` by default. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** The emoji of the space: a character, or its code point in hexadecimal. */
    emoji: Schema.optionalKey(Emoji),
    /** The parent collection, in the same organization; the root of the organization by default. */
    parent: Schema.optionalKey(CollectionId),
    /** Whether users edit the content directly (`live`, the default), or only by change requests (`locked`). */
    editMode: Schema.optionalKey(EditMode)
  }).annotate({ identifier: "CreateSpace" })
) {}

/** The fields of a space to update. Absent fields do not change. */
export class UpdateSpace extends resource<UpdateSpace>()(
  Schema.Struct({
    /** The title of the space, at most 50 characters. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** The emoji of the space: a character, or its code point in hexadecimal. Null resets it to the default. */
    emoji: Schema.optionalKey(Schema.NullOr(Emoji)),
    /** The URL of an image to use as icon. Null removes it. */
    icon: Schema.optionalKey(Schema.NullOr(Url)),
    /**
     * Whether users edit the content directly (`live`), or only by change requests (`locked`). Requires the role
     * `admin` on the space.
     */
    editMode: Schema.optionalKey(EditMode),
    /**
     * The default role of members on the space: `inherit` for the level of the parent, null for no role. Requires
     * the role `admin` on the space.
     */
    defaultLevel: Schema.optionalKey(DefaultLevel),
    /** The rules for merging change requests. Requires the role `admin` on the space. */
    mergeRules: Schema.optionalKey(MergeRules)
  }).annotate({ identifier: "UpdateSpace" })
) {}

/** The options of a request for a space. */
export class SpaceQuery extends resource<SpaceQuery>()(
  Schema.Struct({
    /** The key of a share link, at most 255 characters: `urls.published` is the URL that it opens. */
    shareKey: Schema.optionalKey(text({ max: 255 }))
  })
) {}

/** The columns of a space that is on no site, and synchronized with no repository. */
export const withoutConnections = { gitSync: null, published: null } as const

/** The spaces in the trash that the caller can restore. */
export class SpaceTrash extends resource<SpaceTrash>()(
  Schema.Struct({
    /** The spaces, the last deleted one first: at most 500. */
    items: Schema.Array(Space)
  }).annotate({ identifier: "SpaceTrash" })
) {}
