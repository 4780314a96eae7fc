import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { samlProviderEvents } from "../../tables/saml/recordedSamlEvents.ts"
import { samlAnswers, samlProviders } from "../../tables/saml/samlProviderTables.ts"
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
