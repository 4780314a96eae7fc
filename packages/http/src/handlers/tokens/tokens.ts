/** Handlers of the endpoints for API tokens. */
import { OrganizationTokensApi, TokensApi } from "@lectern/client"
import { Tokens } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the caller's API tokens. */
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

/** The handlers of the endpoints for the API tokens that open an organization. */
export const organizationTokens = Effect.map(Tokens, (tokens) =>
  implement(OrganizationTokensApi, {
    listOrganizationTokens: tokens.listInOrganization,
    revokeOrganizationToken: tokens.revokeInOrganization
  })
)
