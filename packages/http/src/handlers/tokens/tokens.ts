/** Handlers of the endpoints for API tokens. */
import { OrganizationTokensApi, TokensApi } from "@lectern/client"
import { Tokens } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the caller's API tokens. */
export const tokens = Effect.map(Tokens, (tokens) =>
  implement(TokensApi, {
    listApiTokens: serve(tokens.list, ({ query }) => ({ input: query })),
    createApiToken: serve(tokens.create, ({ payload }) => ({ input: payload })),
    getApiToken: serve(tokens.get, ({ params }) => ({ token: params.tokenId })),
    updateApiToken: serve(tokens.update, ({ params, payload }) => ({
      token: params.tokenId,
      input: payload
    })),
    revokeApiToken: serve(tokens.revoke, ({ params }) => ({ token: params.tokenId })),
    rotateApiToken: serve(tokens.rotate, ({ params, payload }) => ({ token: params.tokenId, input: payload }))
  })
)

/** The handlers of the endpoints for the API tokens that open an organization. */
export const organizationTokens = Effect.map(Tokens, (tokens) =>
  implement(OrganizationTokensApi, {
    listOrganizationTokens: serve(tokens.listInOrganization, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    revokeOrganizationToken: serve(tokens.revokeInOrganization, ({ params }) => ({
      organization: params.organizationId,
      token: params.tokenId
    }))
  })
)
