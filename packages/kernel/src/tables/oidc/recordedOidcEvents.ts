/** The events that are recorded from changed rows. */

import { OidcProviderEventData } from "@lectern/model/oidc"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { oidcProviders } from "./oidcProviderTable.ts"

/** The events of OpenID Connect providers of organizations. */
export const oidcProviderEvents = resourceEvents(
  "oidcProvider",
  "An OpenID Connect identity provider.",
  oidcProviders,
  { data: OidcProviderEventData }
)
