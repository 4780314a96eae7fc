/** SAML providers: the identity providers that authenticate the members of an organization. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Team, TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { IdentityProviderId } from "../sessions/IdentityProvider.ts"

/** The id of a SAML provider. */
export const SamlProviderId = idSchema("The id of a SAML provider.").pipe(
  Schema.brand("IdentityProviderId"),
  Schema.brand("SamlProviderId")
)

/** The id of a SAML provider. */
export type SamlProviderId = IdentityProviderId & Brand.Brand<"SamlProviderId">

/** Whether users can log in by a provider: `active` once its entity id, certificate and login URL are set. */
export const SamlProviderStatus = Schema.Literals(["active", "pending"])

/** A SAML provider of an organization. */
export class SamlProvider extends resource<SamlProvider>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("saml-provider"),
    /** The id of the SAML provider. */
    id: SamlProviderId,
    /** The name that users see when they log in, 1 to 30 characters. */
    label: text({ min: 1, max: 30 }),
    /** The login URL of the identity provider; absent until it is set. */
    ssoURL: Schema.optionalKey(Schema.String),
    /** The entity id of the identity provider; absent until it is set. */
    entityID: Schema.optionalKey(Schema.String),
    /** The X.509 certificate of the identity provider; absent until it is set. */
    certificate: Schema.optionalKey(Schema.String),
    /** The team that new members join; absent when none is set. */
    defaultTeam: Schema.optionalKey(Team),
    /** The role of new members; null for guests. */
    defaultRole: RoleOrGuest,
    /** When the SAML provider was created. */
    createdAt: Timestamp,
    /** Whether users can log in by it: `active` once the entity id, the certificate and the login URL are set. */
    status: SamlProviderStatus,
    /** The configuration that the identity provider needs: Lectern as a service provider. */
    service: Schema.Struct({
      /** The assertion consumer service URL, which receives SAML responses. */
      acsURL: Schema.String,
      /** The URL at which users start to log in. */
      startURL: Schema.String,
      /** The entity id of Lectern for this provider, which is also the URL of its metadata. */
      entityID: Schema.String
    }),
    /** URLs of the SAML provider. */
    urls: Schema.Struct({
      /** The URL of the SAML provider in this API. */
      location: Schema.String
    })
  }).annotate({
    identifier: "SamlProvider",
    description: "An identity provider that authenticates the members of an organization."
  })
) {}

/** An identity provider by which users can log in. */
export class SsoLogin extends resource<SsoLogin>()(
  Schema.Struct({
    /** The id of the SAML or OpenID Connect provider. */
    id: IdentityProviderId,
    /** The name that users see when they log in. */
    label: Schema.String,
    /** The URL at which users start to log in. */
    startURL: Schema.String
  }).annotate({ identifier: "SsoLogin" })
) {}

/** The identity providers by which the members of an organization can log in. */
export class SsoLogins extends resource<SsoLogins>()(
  Schema.Struct({
    /** The active SAML and OpenID Connect providers, newest first. */
    items: Schema.Array(SsoLogin)
  }).annotate({ identifier: "SsoLogins" })
) {}

/** The fields of a new SAML provider. */
export class CreateSamlProvider extends resource<CreateSamlProvider>()(
  Schema.Struct({
    /** The name that users see when they log in, 1 to 30 characters. Leading and trailing whitespace is removed. */
    label: trimmed({ min: 1, max: 30 }),
    /** The entity id of the identity provider, the issuer of its responses, 1 to 1024 characters. */
    entityID: Schema.optionalKey(trimmed({ min: 1, max: 1024 })),
    /** The X.509 certificate that verifies responses, as PEM or as the base64 of it, 1 to 10,000 characters. */
    certificate: Schema.optionalKey(trimmed({ min: 1, max: 10_000 })),
    /** The login URL of the identity provider. */
    ssoURL: Schema.optionalKey(Url),
    /** The team of the organization that new members join; none by default, and for null. */
    defaultTeam: Schema.optionalKey(Schema.NullOr(TeamId)),
    /** The role of new members; null for guests. The organization's default role by default. */
    defaultRole: Schema.optionalKey(RoleOrGuest)
  }).annotate({ identifier: "CreateSamlProvider" })
) {}

/** The fields to update on a SAML provider. Fields that are absent keep their values. */
export class UpdateSamlProvider extends resource<UpdateSamlProvider>()(
  Schema.Struct({
    /** The name that users see when they log in, 1 to 30 characters. Leading and trailing whitespace is removed. */
    label: Schema.optionalKey(CreateSamlProvider.fields.label),
    /** The entity id of the identity provider, the issuer of its responses, 1 to 1024 characters. */
    entityID: CreateSamlProvider.fields.entityID,
    /** The X.509 certificate that verifies responses, as PEM or as the base64 of it, 1 to 10,000 characters. */
    certificate: CreateSamlProvider.fields.certificate,
    /** The login URL of the identity provider. */
    ssoURL: CreateSamlProvider.fields.ssoURL,
    /** The team of the organization that new members join; null removes it. */
    defaultTeam: CreateSamlProvider.fields.defaultTeam,
    /** The role of new members; null for guests. */
    defaultRole: CreateSamlProvider.fields.defaultRole
  }).annotate({ identifier: "UpdateSamlProvider" })
) {}
