/** The events of SAML providers. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { SamlProviderId, samlProviders } from "./SamlProvider.ts"

/** The events of SAML providers. */
export const samlProviderEvents = resourceEvents("samlProvider", "A SAML identity provider.", samlProviders, {
  data: {
    id: SamlProviderId,
    organization: OrganizationId,
    label: Schema.String,
    entityID: Schema.NullOr(Schema.String),
    certificate: Schema.NullOr(Schema.String),
    ssoURL: Schema.NullOr(Schema.String),
    defaultTeam: Schema.NullOr(TeamId),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp
  }
})
