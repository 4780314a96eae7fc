/** A share link: a key that admits visitors to a site whose visibility is `share-link`. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, trimmed } from "../schema/Text.ts"

/** The id of a share link. */
export const ShareLinkId = idSchema("The id of a share link.").pipe(Schema.brand("ShareLinkId"))

/** The id of a share link. */
export type ShareLinkId = string & Brand.Brand<"ShareLinkId">

/** A share link of a site. */
export class ShareLink extends resource<ShareLink>()(
  Schema.Struct({
    /** The type of the resource: always `share-link`. */
    object: Schema.Literal("share-link"),
    /** The id of the share link. */
    id: ShareLinkId,
    /** When the share link was created. */
    createdAt: Timestamp,
    /** The name: at most 50 characters. */
    name: Schema.String,
    /** Whether the share link admits visitors. */
    active: Schema.Boolean,
    /** The URLs of the share link. */
    urls: Schema.Struct({
      /** The URL of the site with the key of the share link. */
      published: Schema.String
    })
  }).annotate({ identifier: "ShareLink" })
) {}

const name = trimmed({ max: 50 })

/** The input that creates a share link. */
export class CreateShareLink extends resource<CreateShareLink>()(
  Schema.Struct({
    /** The name: at most 50 characters. */
    name
  }).annotate({ identifier: "CreateShareLink" })
) {}

/** The input that updates a share link. Absent fields are not changed. */
export class UpdateShareLink extends resource<UpdateShareLink>()(
  Schema.Struct({
    /** The name: at most 50 characters. */
    name: Schema.optionalKey(name),
    /** Whether the share link admits visitors. */
    active: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "UpdateShareLink" })
) {}
