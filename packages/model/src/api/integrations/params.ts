/**
 * The path parameters of operations on integrations. Their types are interfaces, because declarations would otherwise repeat
 * the fields for each operation.
 */

import * as Schema from "effect/Schema"
import { InstallationId, IntegrationName, SiteId, SpaceId } from "../../index.ts"

const integration = { integrationName: IntegrationName }
const installation = { ...integration, installationId: InstallationId }
const spaceInstallation = { ...installation, spaceId: SpaceId }
const siteInstallation = { ...installation, siteId: SiteId }

/** The schema of {@link integrationParams}. */
export interface IntegrationParams extends Schema.Struct<typeof integration> {}
/** The schema of {@link installationParams}. */
export interface InstallationParams extends Schema.Struct<typeof installation> {}
/** The schema of {@link spaceInstallationParams}. */
export interface SpaceInstallationParams extends Schema.Struct<typeof spaceInstallation> {}
/** The schema of {@link siteInstallationParams}. */
export interface SiteInstallationParams extends Schema.Struct<typeof siteInstallation> {}

/** The parameters of a path to an integration. */
export const integrationParams: IntegrationParams = Schema.Struct(integration)
/** The parameters of a path to an installation. */
export const installationParams: InstallationParams = Schema.Struct(installation)
/** The parameters of a path to an installation on a space. */
export const spaceInstallationParams: SpaceInstallationParams = Schema.Struct(spaceInstallation)
/** The parameters of a path to an installation on a site. */
export const siteInstallationParams: SiteInstallationParams = Schema.Struct(siteInstallation)
