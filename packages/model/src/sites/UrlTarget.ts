/** The content that a URL of the workspace leads to. */
import * as Schema from "effect/Schema"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { Collection } from "../collections/Collection.ts"
import { Page } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { Url } from "../schema/Url.ts"
import { Space } from "../spaces/Space.ts"

/** The URL to resolve. */
export class UrlTargetQuery extends resource<UrlTargetQuery>()(
  Schema.Struct({
    /** A URL in the application, in the API, or on a published site: at most 2,048 characters. */
    url: Url
  })
) {}

/** A collection that a URL leads to. */
export class CollectionTarget extends resource<CollectionTarget>()(
  Schema.Struct({
    /** The collection. */
    collection: Collection
  })
) {}

/** A space that a URL leads to. */
export class SpaceTarget extends resource<SpaceTarget>()(
  Schema.Struct({
    /** The space. */
    space: Space,
    /** The change request that the URL names. Absent if it names none. */
    changeRequest: Schema.optionalKey(ChangeRequest),
    /** The document or group that the URL names, without its body. Absent if it names none. */
    page: Schema.optionalKey(Page)
  })
) {}

/** The content that a URL leads to: a collection, or a space with a page. */
export const UrlTarget = Schema.Union([SpaceTarget, CollectionTarget]).annotate({ identifier: "UrlTarget" })
/** The content that a URL leads to: a collection, or a space with a page. */
export type UrlTarget = typeof UrlTarget.Type
