/** The events that are recorded from changed rows. */

import { SamlProviderEventData } from "@lectern/model/saml"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { samlProviders } from "./samlProviderTables.ts"

/** The events of SAML providers. */
export const samlProviderEvents = resourceEvents("samlProvider", "A SAML identity provider.", samlProviders, {
  data: SamlProviderEventData
})
