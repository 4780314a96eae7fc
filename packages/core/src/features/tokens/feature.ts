import { defineFeature } from "@lectern/kernel"
import { apiTokens } from "@lectern/kernel/tables"
import { Layer } from "effect"
import { ApiTokens } from "./ApiTokens.ts"
import { Tokens } from "./Tokens.ts"

/** API tokens, which authenticate HTTP clients. */
export const tokensFeature = defineFeature("tokens", {
  tables: [apiTokens],
  userServices: { tokens: Tokens },
  layer: Layer.merge(ApiTokens.layer, Tokens.layer)
})
