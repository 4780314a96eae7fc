import { defineFeature } from "@lectern/kernel"
import { samlAnswers, samlProviderEvents, samlProviders } from "@lectern/kernel/tables"
import { Layer } from "effect"
import { SamlLogins } from "./SamlLogins.ts"
import { SamlProviders } from "./SamlProviders.ts"
import { samlExaminations } from "./samlChecks.ts"

/** Single sign-on with SAML. */
export const samlFeature = defineFeature("saml", {
  uses: ["oidc", "organizations", "sessions", "tokens"],
  tables: [samlProviders, samlAnswers],
  events: [samlProviderEvents],
  userServices: { samlProviders: SamlProviders },
  layer: Layer.merge(SamlLogins.layer, SamlProviders.layer),
  examinations: samlExaminations
})
