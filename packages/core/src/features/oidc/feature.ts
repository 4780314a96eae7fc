import { defineFeature } from "@lectern/kernel"
import { oidcExaminations, oidcProviderEvents, oidcProviders, oidcSubjects } from "@lectern/kernel/tables"
import { Layer } from "effect"
import { OidcLogins } from "./OidcLogins.ts"
import { OrganizationOidcProviders } from "./OrganizationOidcProviders.ts"

/** Logins by OpenID Connect. */
export const oidcFeature = defineFeature("oidc", {
  uses: ["organizations", "sessions"],
  tables: [oidcProviders, oidcSubjects],
  events: [oidcProviderEvents],
  userServices: { oidcProviders: OrganizationOidcProviders },
  layer: Layer.merge(OidcLogins.layer, OrganizationOidcProviders.layer),
  examinations: oidcExaminations
})
