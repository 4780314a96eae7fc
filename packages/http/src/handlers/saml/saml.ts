/** Handlers of the endpoints for SAML providers. */
import { SamlApi } from "@lectern/client"
import { SamlProviders } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for SAML providers. */
export const saml = Effect.map(SamlProviders, (providers) =>
  implement(SamlApi, {
    listSAMLProvidersInOrganizationById: serve(providers.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createOrganizationSAMLProvider: serve(providers.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getOrganizationSAMLProviderById: serve(providers.get, ({ params }) => ({
      organization: params.organizationId,
      provider: params.samlProviderId
    })),
    updateOrganizationSAMLProvider: serve(providers.update, ({ params, payload }) => ({
      organization: params.organizationId,
      provider: params.samlProviderId,
      input: payload
    })),
    deleteOrganizationSAMLProvider: serve(providers.remove, ({ params }) => ({
      organization: params.organizationId,
      provider: params.samlProviderId
    })),
    listSSOProviderLoginsInOrganization: serve(providers.listLogins, ({ params }) => ({
      organization: params.organizationId
    }))
  })
)
