import { OrganizationTokensApi, TokensApi } from "@lectern/client"
import { Tokens } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const tokens = Effect.map(Tokens, (tokens) =>
  implement(TokensApi, {
    listApiTokens: tokens.list,
    createApiToken: tokens.create,
    getApiToken: tokens.get,
    updateApiToken: tokens.update,
    revokeApiToken: tokens.revoke,
    rotateApiToken: tokens.rotate
  })
)

export const organizationTokens = Effect.map(Tokens, (tokens) =>
  implement(OrganizationTokensApi, {
    listOrganizationTokens: tokens.listInOrganization,
    revokeOrganizationToken: tokens.revokeInOrganization
  })
)
