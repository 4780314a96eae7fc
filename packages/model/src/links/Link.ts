/** Links between pages and their targets, and backlinks. */

import * as Schema from "effect/Schema"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { Collection } from "../collections/Collection.ts"
import { File } from "../content/File.ts"
import { Page } from "../content/Page.ts"
import { ReusableContent } from "../content/ReusableContent.ts"
import { Revision } from "../content/Revision.ts"
import { OpenApiSpec } from "../openapi-specs/OpenApiSpec.ts"
import { Organization } from "../organizations/Organization.ts"
import { PageQuery, pageOf } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Space } from "../spaces/Space.ts"
import { User } from "../users/User.ts"

/** The status of a link. `broken`: the target does not exist. `in-app`: the target is a URL of the application. */
export const LinkStatus = Schema.Literals(["ok", "broken", "in-app"])
/** The status of a link. */
export type LinkStatus = typeof LinkStatus.Type

const inSpace = {
  /** The organization of the space. */
  organization: Organization,
  /** The space of the content. */
  space: Space
}

class RevisionContext extends resource<RevisionContext>()(
  Schema.Struct({
    /** The type of the content: a revision of a space. */
    type: Schema.Literal("revision"),
    /** The revision. Its `pages`, `files` and `reusableContents` are empty. */
    revision: Revision
  })
) {}

class ChangeRequestContext extends resource<ChangeRequestContext>()(
  Schema.Struct({
    /** The type of the content: that of a change request. */
    type: Schema.Literal("changeRequest"),
    /** The change request. */
    changeRequest: ChangeRequest
  })
) {}

/** The content that a place is in. */
const VersionContext = Schema.Union([RevisionContext, ChangeRequestContext]).annotate({
  identifier: "ContentLocationContext"
})

/** A page, or a place in it. */
export class PageLocation extends resource<PageLocation>()(
  Schema.Struct({
    /** The kind of the location: a page. */
    kind: Schema.Literal("page"),
    ...inSpace,
    /** The page, without the pages below it. */
    page: Page,
    /** The content that the page is in. Present in backlinks only. */
    versionContext: Schema.optionalKey(VersionContext),
    /** The place in the page. Absent if the location is the page as a whole. */
    internalLocation: Schema.optionalKey(
      Schema.Struct({
        /** The type of the place: an anchor. */
        type: Schema.Literal("anchor"),
        /** The anchor of the heading, without `#`. */
        anchor: Schema.String
      })
    )
  }).annotate({ identifier: "ContentLocationPage" })
) {}

class FileLocation extends resource<FileLocation>()(
  Schema.Struct({
    /** The kind of the location: a file. */
    kind: Schema.Literal("file"),
    ...inSpace,
    /** The file. */
    file: File
  })
) {}

class ReusableContentLocation extends resource<ReusableContentLocation>()(
  Schema.Struct({
    /** The kind of the location: a reusable content. */
    kind: Schema.Literal("reusable-content"),
    ...inSpace,
    /** The reusable content. */
    reusableContent: ReusableContent
  })
) {}

class SpaceLocation extends resource<SpaceLocation>()(
  Schema.Struct({
    /** The kind of the location: a space. */
    kind: Schema.Literal("space"),
    ...inSpace
  })
) {}

class UserLocation extends resource<UserLocation>()(
  Schema.Struct({
    /** The kind of the location: a user. */
    kind: Schema.Literal("user"),
    /** The user. */
    user: User
  })
) {}

class CollectionLocation extends resource<CollectionLocation>()(
  Schema.Struct({
    /** The kind of the location: a collection. */
    kind: Schema.Literal("collection"),
    /** The organization of the collection. */
    organization: Organization,
    /** The collection. */
    collection: Collection
  })
) {}

class OpenApiSpecLocation extends resource<OpenApiSpecLocation>()(
  Schema.Struct({
    /** The kind of the location: an OpenAPI spec. */
    kind: Schema.Literal("openapi"),
    /** The organization of the spec. */
    organization: Organization,
    /** The OpenAPI spec. */
    openAPISpec: OpenApiSpec
  })
) {}

class UrlLocation extends resource<UrlLocation>()(
  Schema.Struct({
    /** The kind of the location: a URL, or a target that does not exist. */
    kind: Schema.Literal("url"),
    /** The URL, or the target as it is written in the page if it does not exist. */
    url: Schema.String
  })
) {}

/** The target or the source of a link. */
export const ContentLocation: Schema.Codec<ContentLocation, unknown> = Schema.Union([
  PageLocation,
  FileLocation,
  ReusableContentLocation,
  SpaceLocation,
  UserLocation,
  CollectionLocation,
  OpenApiSpecLocation,
  UrlLocation
]).annotate({ identifier: "ContentLocation" })
/** The target or the source of a link. */
export type ContentLocation =
  | PageLocation
  | FileLocation
  | ReusableContentLocation
  | SpaceLocation
  | UserLocation
  | CollectionLocation
  | OpenApiSpecLocation
  | UrlLocation

/** A target with the places that link to it. */
export class Link extends resource<Link>()(
  Schema.Struct({
    /** Whether the target exists. */
    status: LinkStatus,
    /** The relation of the places to the target: always `reference`. */
    relation: Schema.Literal("reference"),
    /** The target of the link. A target that does not exist is a URL as it is written in the page. */
    targetReference: ContentLocation,
    /** The places that link to the target, at most 100. */
    locationReferences: Schema.Array(ContentLocation)
  }).annotate({ identifier: "ContentReferenceUsage" })
) {}

/** The number of links, independent of the `status` filter. */
export class LinkStats extends resource<LinkStats>()(
  Schema.Struct({
    /** The number of links. */
    total: Schema.Int,
    /** The number of broken links. */
    broken: Schema.Struct({
      /** The number of broken links. */
      total: Schema.Int,
      /** The number of links that the change request broke. Absent for content that is not of a change request. */
      changeRequest: Schema.optionalKey(Schema.Int)
    })
  }).annotate({ identifier: "ContentReferencesStats" })
) {}

/** A page of links. */
export class Links extends resource<Links>()(
  Schema.Struct({
    ...pageOf(Link).fields,
    /** The number of links and of broken links in the whole list. */
    stats: LinkStats
  }).annotate({ identifier: "ContentReferenceUsageList" })
) {}

/** The filter and the page of a list of links. */
export class ListLinks extends resource<ListLinks>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists only links with this status. Absent for all links. */
    status: Schema.optionalKey(LinkStatus)
  })
) {}
