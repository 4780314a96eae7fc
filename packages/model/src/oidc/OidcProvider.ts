/** OpenID Connect providers: the identity providers that authenticate the members of an organization. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Domain } from "../organizations/Organization.ts"
import { Team, TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import type { IdentityProviderId } from "../sessions/IdentityProvider.ts"
import { IssuerUrl } from "./OidcLogin.ts"

/** The id of an OpenID Connect provider of an organization. */
export const OidcProviderId = idSchema("The id of an OpenID Connect provider of an organization.").pipe(
  Schema.brand("IdentityProviderId"),
  Schema.brand("OidcProviderId")
)

/** The id of an OpenID Connect provider of an organization. */
export type OidcProviderId = IdentityProviderId & Brand.Brand<"OidcProviderId">

/** Whether users can log in by a provider: `active` once its issuer and its client id are set. */
export const OidcProviderStatus = Schema.Literals(["active", "pending"])

/** The maximum number of groups of a provider that are mapped to rights. */
const maximumGroups = 100

/** The maximum number of domains of a provider. */
const maximumDomains = 100

/** The rights of the members of a group of an OpenID Connect provider. */
export const OidcGroup = Schema.Struct({
  /** The name of the group in the claim, 1 to 255 characters. */
  group: text({ min: 1, max: 255 }),
  /** The role in the organization; null for guests. The highest role of the groups of a user applies at each login. */
  role: Schema.optionalKey(RoleOrGuest),
  /** The team of the organization that the user joins. */
  team: Schema.optionalKey(TeamId)
}).annotate({ identifier: "OidcGroup" })

/** The rights of the members of a group of an OpenID Connect provider. */
export type OidcGroup = typeof OidcGroup.Type

/** An OpenID Connect provider of an organization. */
export class OidcProvider extends resource<OidcProvider>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("oidc-provider"),
    /** The id of the OpenID Connect provider. */
    id: OidcProviderId,
    /** The name that users see when they log in, 1 to 30 characters. */
    label: text({ min: 1, max: 30 }),
    /** The URL of the issuer, below which its discovery document is; absent until it is set. */
    issuer: Schema.optionalKey(Schema.String),
    /** The id of Lectern at the provider; absent until it is set. */
    clientID: Schema.optionalKey(Schema.String),
    /** Whether the secret of Lectern at the provider is set. The secret itself is never returned. */
    hasClientSecret: Schema.Boolean,
    /** The domains of e-mail addresses whose users become members when they log in first. Other users must be members already. */
    domains: Schema.Array(Schema.String),
    /** The claim with the groups of the user. */
    groupsClaim: Schema.String,
    /** The rights of groups, which apply at each login. */
    groups: Schema.Array(OidcGroup),
    /** The team that new members join; absent when none is set. */
    defaultTeam: Schema.optionalKey(Team),
    /** The role of new members without a role by their groups; null for guests. */
    defaultRole: RoleOrGuest,
    /** When the OpenID Connect provider was created. */
    createdAt: Timestamp,
    /** Whether users can log in by it: `active` once the issuer and the client id are set. */
    status: OidcProviderStatus,
    /** The configuration that the provider needs. */
    service: Schema.Struct({
      /** The redirect URL to register at the provider. */
      redirectURL: Schema.String,
      /** The URL to which the provider returns after a logout. */
      logoutURL: Schema.String,
      /** The URL at which users start to log in. */
      startURL: Schema.String
    }),
    /** URLs of the OpenID Connect provider. */
    urls: Schema.Struct({
      /** The URL of the OpenID Connect provider in this API. */
      location: Schema.String
    })
  }).annotate({
    identifier: "OidcProvider",
    description: "An OpenID Connect provider that authenticates the members of an organization."
  })
) {}

const domains = Schema.Array(Domain).check(
  Schema.isMaxLength(maximumDomains, { message: `must be at most ${maximumDomains} domains` })
)

const groups = Schema.Array(OidcGroup).check(
  Schema.isMaxLength(maximumGroups, { message: `must be at most ${maximumGroups} groups` })
)

/** The fields of a new OpenID Connect provider. */
export class CreateOidcProvider extends resource<CreateOidcProvider>()(
  Schema.Struct({
    /** The name that users see when they log in, 1 to 30 characters. Leading and trailing whitespace is removed. */
    label: trimmed({ min: 1, max: 30 }),
    /** The URL of the issuer, below which its discovery document is. https, except for a provider on the same machine. */
    issuer: Schema.optionalKey(IssuerUrl),
    /** The id of Lectern at the provider, 1 to 500 characters. */
    clientID: Schema.optionalKey(trimmed({ min: 1, max: 500 })),
    /** The secret of Lectern at the provider, 1 to 2000 characters. It is stored encrypted. None for a public client. */
    clientSecret: Schema.optionalKey(Schema.NullOr(trimmed({ min: 1, max: 2_000 }))),
    /**
     * The domains of e-mail addresses whose users become members when they log in first, at most 100. None by default: users
     * must be members already.
     */
    domains: Schema.optionalKey(domains),
    /** The claim with the groups of the user, 1 to 100 characters; `groups` by default. */
    groupsClaim: Schema.optionalKey(trimmed({ min: 1, max: 100 })),
    /** The rights of groups, which apply at each login, at most 100. None by default. */
    groups: Schema.optionalKey(groups),
    /** The team of the organization that new members join; none by default, and for null. */
    defaultTeam: Schema.optionalKey(Schema.NullOr(TeamId)),
    /** The role of new members without a role by their groups; null for guests. The organization's default role by default. */
    defaultRole: Schema.optionalKey(RoleOrGuest)
  }).annotate({ identifier: "CreateOidcProvider" })
) {}

/** The fields to update on an OpenID Connect provider. Fields that are absent keep their values. */
export class UpdateOidcProvider extends resource<UpdateOidcProvider>()(
  Schema.Struct({
    /** The name that users see when they log in, 1 to 30 characters. Leading and trailing whitespace is removed. */
    label: Schema.optionalKey(CreateOidcProvider.fields.label),
    /** The URL of the issuer. Another issuer removes the links of accounts to its users: they are found by address again. */
    issuer: CreateOidcProvider.fields.issuer,
    /** The id of Lectern at the provider, 1 to 500 characters. */
    clientID: CreateOidcProvider.fields.clientID,
    /** The secret of Lectern at the provider, 1 to 2000 characters; null removes it. */
    clientSecret: CreateOidcProvider.fields.clientSecret,
    /** The domains of e-mail addresses whose users become members when they log in first, at most 100. */
    domains: CreateOidcProvider.fields.domains,
    /** The claim with the groups of the user, 1 to 100 characters. */
    groupsClaim: CreateOidcProvider.fields.groupsClaim,
    /** The rights of groups, which apply at each login, at most 100. */
    groups: CreateOidcProvider.fields.groups,
    /** The team of the organization that new members join; null removes it. */
    defaultTeam: CreateOidcProvider.fields.defaultTeam,
    /** The role of new members without a role by their groups; null for guests. */
    defaultRole: CreateOidcProvider.fields.defaultRole
  }).annotate({ identifier: "UpdateOidcProvider" })
) {}
