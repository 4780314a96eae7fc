/** The events of SAML providers. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SamlProviderId } from "./SamlProvider.ts"

/** The data of the events of a SAML provider. */
export class SamlProviderEventData extends resource<SamlProviderEventData>()(
  Schema.Struct({
    id: SamlProviderId,
    organization: OrganizationId,
    label: Schema.String,
    entityID: Schema.NullOr(Schema.String),
    certificate: Schema.NullOr(Schema.String),
    ssoURL: Schema.NullOr(Schema.String),
    defaultTeam: Schema.NullOr(TeamId),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp
  })
) {}
