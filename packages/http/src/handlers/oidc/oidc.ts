import { OidcApi } from "@lectern/client"
import { OrganizationOidcProviders } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const oidc = Effect.map(OrganizationOidcProviders, (providers) =>
  implement(OidcApi, {
    listOIDCProvidersInOrganizationById: serve(providers.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createOrganizationOIDCProvider: serve(providers.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getOrganizationOIDCProviderById: serve(providers.get, ({ params }) => ({
      organization: params.organizationId,
      oidcProvider: params.oidcProviderId
    })),
    updateOrganizationOIDCProvider: serve(providers.update, ({ params, payload }) => ({
      organization: params.organizationId,
      oidcProvider: params.oidcProviderId,
      input: payload
    })),
    deleteOrganizationOIDCProvider: serve(providers.remove, ({ params }) => ({
      organization: params.organizationId,
      oidcProvider: params.oidcProviderId
    }))
  })
)
