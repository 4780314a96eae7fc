/** The manifest of the feature `tokens`. */
import { defineFeature } from "../../kernel/features/Feature.ts"
import { apiTokens } from "../../model/tokens/ApiToken.ts"
import { ApiTokens } from "./ApiTokens.ts"

/** API tokens, which authenticate HTTP clients. */
export const tokensFeature = defineFeature("tokens", {
  tables: [apiTokens],
  userServices: {},
  layer: ApiTokens.layer
})
