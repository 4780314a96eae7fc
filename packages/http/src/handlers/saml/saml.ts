/** Handlers of the operations on SAML providers. */

import { SamlApi } from "@lectern/client"
import { SamlProviders } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on SAML providers, implemented. */
export const saml = Effect.map(SamlProviders, (providers) =>
  implement(SamlApi, {
    listSAMLProvidersInOrganizationById: ({ params, query }) => providers.list(params.organizationId, query),
    createOrganizationSAMLProvider: ({ params, payload }) => providers.create(params.organizationId, payload),
    getOrganizationSAMLProviderById: ({ params }) =>
      providers.get(params.organizationId, params.samlProviderId),
    updateOrganizationSAMLProvider: ({ params, payload }) =>
      providers.update(params.organizationId, params.samlProviderId, payload),
    deleteOrganizationSAMLProvider: ({ params }) =>
      providers.remove(params.organizationId, params.samlProviderId),
    listSSOProviderLoginsInOrganization: ({ params }) => providers.logins(params.organizationId)
  })
)
