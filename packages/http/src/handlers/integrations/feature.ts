import { siteInstallations, spaceInstallations } from "./contentInstallations.ts"
import { integrations } from "./integrations.ts"

export const integrationsHandlers = { integrations, spaceInstallations, siteInstallations }
