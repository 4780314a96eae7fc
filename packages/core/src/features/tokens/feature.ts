import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { apiTokens } from "../../tables/tokens/apiTokenTable.ts"
import { ApiTokens } from "./ApiTokens.ts"
import { Tokens } from "./Tokens.ts"

/** API tokens, which authenticate HTTP clients. */
export const tokensFeature = defineFeature("tokens", {
  tables: [apiTokens],
  userServices: { tokens: Tokens },
  layer: Layer.merge(ApiTokens.layer, Tokens.layer)
})
