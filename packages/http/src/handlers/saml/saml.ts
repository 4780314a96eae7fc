import { SamlApi } from "@lectern/client"
import { SamlProviders } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const saml = Effect.map(SamlProviders, (providers) =>
  implement(SamlApi, {
    listSAMLProvidersInOrganizationById: providers.list,
    createOrganizationSAMLProvider: providers.create,
    getOrganizationSAMLProviderById: providers.get,
    updateOrganizationSAMLProvider: providers.update,
    deleteOrganizationSAMLProvider: providers.remove,
    listSSOProviderLoginsInOrganization: providers.listLogins
  })
)
