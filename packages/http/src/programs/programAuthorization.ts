/** The authorization server of a workspace, with the package `oidc-provider`. */
import { PublicUrl } from "@lectern/core"
import { Effect } from "effect"
import type { MakeProgramAuthorization } from "./ProgramPort.ts"
import { resourceMetadataPath } from "./paths.ts"
import { canonicalResource } from "./resources.ts"
import { makeProgramRoutes } from "./routes.ts"

/**
 * Lets people authorize programs of others by OAuth 2.1. Requires the package `oidc-provider`, which is loaded by the first request.
 *
 * @example
 * serve({ programs: programAuthorization })
 */
export const programAuthorization: MakeProgramAuthorization = Effect.gen(function* () {
  const issuer = yield* PublicUrl
  const route = yield* makeProgramRoutes
  return {
    route,
    challengeOf: (request, path) =>
      `Bearer resource_metadata="${request.baseUrl ?? issuer}${resourceMetadataPath}${path}"`,
    resourceOf: (request, path) => canonicalResource(issuer, `${request.baseUrl ?? issuer}${path}`)
  }
})
