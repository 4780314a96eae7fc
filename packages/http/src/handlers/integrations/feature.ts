/** The handlers of the endpoints of integrations. */
import { siteInstallations, spaceInstallations } from "./contentInstallations.ts"
import { integrations } from "./integrations.ts"

/** The handlers of each group of endpoints of integrations, by the name of the group. */
export const integrationsHandlers = { integrations, spaceInstallations, siteInstallations }
