/** The events of SAML providers. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { SamlProviderId, samlProviders } from "./SamlProvider.ts"

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

/** The events of SAML providers. */
export const samlProviderEvents = resourceEvents("samlProvider", "A SAML identity provider.", samlProviders, {
  data: SamlProviderEventData
})
