/** Identifies the caller of a question: a user, or a visitor of a site. */
import {
  type Forbidden,
  type Identity,
  isVisitorToken,
  type OrganizationId,
  type SiteId,
  type StorageUnavailable,
  Unauthenticated,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { Effect } from "effect"
import { bearerTokenOf, makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { type ApiRequest, addressOf } from "../server/messages/Message.ts"
import type { PathTarget } from "./answerPaths.ts"

const invalidVisitorToken = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The token of a visitor is malformed, or questions to this content are not available to visitors."
})

/** A visitor of a site without credentials. Operations verify that the site admits them. */
const withoutCredentials = ({ organization, site }: Extract<PathTarget, { kind: "site" }>): Identity =>
  visitorIdentity({ organization: organization as OrganizationId, site: site as SiteId })

/** Creates the function that identifies callers. Visitors can only ask sites. */
export const makeIdentifyCaller = Effect.map(
  makeAuthenticateRequest,
  (authenticate) =>
    (
      request: ApiRequest,
      target?: PathTarget
    ): Effect.Effect<Identity, Unauthenticated | Forbidden | StorageUnavailable> => {
      const token = bearerTokenOf(request)
      const site = target?.kind === "site" ? target : undefined
      if (token !== undefined && isVisitorToken(token)) {
        const visitor = site === undefined ? undefined : visitorOfToken(token)
        return visitor === undefined
          ? Effect.fail(invalidVisitorToken)
          : Effect.succeed(visitorIdentity(visitor))
      }
      const user = authenticate(request)
      return site !== undefined && request.header("authorization") === undefined
        ? Effect.catchTag(user, ["Unauthenticated", "Forbidden"], () =>
            Effect.succeed(withoutCredentials(site))
          )
        : user
    }
)

/** Whom the questions of a request count for. */
export const callerKeyOf = (request: ApiRequest, { id, visitor }: Identity): string =>
  visitor === undefined ? `user:${id}` : `address:${addressOf(request)}`
