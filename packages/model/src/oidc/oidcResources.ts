/** The events of OpenID Connect providers. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { OidcGroup, OidcProviderId } from "./OidcProvider.ts"

/** The data of the events of an OpenID Connect provider. They do not contain its secret. */
export class OidcProviderEventData extends resource<OidcProviderEventData>()(
  Schema.Struct({
    id: OidcProviderId,
    organization: OrganizationId,
    label: Schema.String,
    issuer: Schema.NullOr(Schema.String),
    clientID: Schema.NullOr(Schema.String),
    domains: Schema.Array(Schema.String),
    groupsClaim: Schema.NullOr(Schema.String),
    groups: Schema.Array(OidcGroup),
    defaultTeam: Schema.NullOr(TeamId),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp
  })
) {}
