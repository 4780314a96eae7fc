/** How visitors of a site authenticate. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Url } from "../schema/Url.ts"

/** How visitors of a site authenticate: by tokens that a custom backend signs with the private key of the site. */
export class PublishingAuth extends resource<PublishingAuth>()(
  Schema.Struct({
    /** The type of the resource: always `publishing-auth`. */
    object: Schema.Literal("publishing-auth"),
    /** The kind of the backend that signs visitor tokens: always `custom`. */
    backend: Schema.Literal("custom"),
    /** The key that signs visitor tokens with HS256: the UTF-8 bytes of this text. */
    privateKey: Schema.String,
    /** The URL to which visitors without a valid token are redirected; absent when it is not set. */
    fallbackURL: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "PublishingAuth" })
) {}

/** The input that updates how visitors of a site authenticate. Absent fields are not changed. */
export class UpdatePublishingAuth extends resource<UpdatePublishingAuth>()(
  Schema.Struct({
    /** The kind of the backend that signs visitor tokens: always `custom`. */
    backend: Schema.optionalKey(Schema.Literal("custom")),
    /** The URL to which visitors without a valid token are redirected; null removes it. */
    fallbackURL: Schema.optionalKey(Schema.NullOr(Url))
  }).annotate({ identifier: "UpdatePublishingAuth" })
) {}
