import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { oidcProviders } from "../../tables/oidc/oidcProviderTable.ts"
import { oidcSubjects } from "../../tables/oidc/oidcSubjectTable.ts"
import { oidcProviderEvents } from "../../tables/oidc/recordedOidcEvents.ts"
import { OidcLogins } from "./OidcLogins.ts"
import { OrganizationOidcProviders } from "./OrganizationOidcProviders.ts"
import { oidcExaminations } from "./oidcChecks.ts"

/** Logins by OpenID Connect. */
export const oidcFeature = defineFeature("oidc", {
  uses: ["organizations", "sessions", "tokens"],
  tables: [oidcProviders, oidcSubjects],
  events: [oidcProviderEvents],
  userServices: { oidcProviders: OrganizationOidcProviders },
  layer: Layer.merge(OidcLogins.layer, OrganizationOidcProviders.layer),
  examinations: oidcExaminations
})
