/** Identity providers of organizations, regardless of their protocol. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"

/** The id of an identity provider of an organization: a SAML provider or an OpenID Connect provider. */
export const IdentityProviderId = idSchema(
  "The id of an identity provider of an organization: a SAML provider or an OpenID Connect provider."
).pipe(Schema.brand("IdentityProviderId"))

/** The id of an identity provider of an organization: a SAML provider or an OpenID Connect provider. */
export type IdentityProviderId = string & Brand.Brand<"IdentityProviderId">
