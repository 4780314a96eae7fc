/** How visitors of a site authenticate. */
import { Schema } from "effect"
import { Url } from "../../kernel/schema/Url.ts"

/** How visitors of a site show who they are: by tokens that somebody's own back end signs with the private key. */
export const PublishingAuth = Schema.Struct({
  object: Schema.Literal("publishing-auth"),
  backend: Schema.Literal("custom"),
  privateKey: Schema.String.annotate({
    description: "What tokens are signed with (HS256): its bytes, in UTF-8."
  }),
  fallbackURL: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "PublishingAuth" })
export type PublishingAuth = typeof PublishingAuth.Type

/** What can be changed of it. A null address is taken away. */
export const UpdatePublishingAuth = Schema.Struct({
  backend: Schema.optionalKey(Schema.Literal("custom")),
  /** Where visitors are sent whose token is not good. */
  fallbackURL: Schema.optionalKey(Schema.NullOr(Url))
}).annotate({ identifier: "UpdatePublishingAuth" })
