/** The events of integrations and their installations. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { InstallationId, Selection } from "./Installation.ts"
import { IntegrationName, IntegrationVisibility } from "./Integration.ts"

/** The data of the events of a integration. */
export class IntegrationEventData extends resource<IntegrationEventData>()(
  Schema.Struct({
    id: Schema.String,
    name: IntegrationName,
    organization: OrganizationId,
    version: Schema.Int,
    visibility: IntegrationVisibility,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

/** The data of the events of a installation. */
export class InstallationEventData extends resource<InstallationEventData>()(
  Schema.Struct({
    id: InstallationId,
    integration: Schema.String,
    organization: OrganizationId,
    spaceSelection: Selection,
    siteSelection: Selection,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

/** The data of the events of an installation on a space or a site. */
export class ContentInstallationEventData extends resource<ContentInstallationEventData>()(
  Schema.Struct({
    installation: InstallationId,
    content: Schema.String,
    kind: Schema.Literals(["space", "site"]),
    integration: Schema.String,
    organization: OrganizationId,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}
