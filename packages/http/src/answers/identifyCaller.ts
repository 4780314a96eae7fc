/** Identifies the caller of a question: a user, or a visitor of a site. */
import {
  anonymousVisitor,
  type Forbidden,
  type Identity,
  isVisitorToken,
  type StorageUnavailable,
  Unauthenticated,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { Effect } from "effect"
import { bearerTokenOf, makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { type ApiRequest, addressOf } from "../server/messages/Message.ts"

const invalidVisitorToken = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The token of a visitor is malformed, or questions to this content are not available to visitors."
})

/** Creates the function that identifies callers. Visitors can only ask sites. */
export const makeIdentifyCaller = Effect.map(
  makeAuthenticateRequest,
  (authenticate) =>
    (
      request: ApiRequest,
      admitsVisitors: boolean
    ): Effect.Effect<Identity, Unauthenticated | Forbidden | StorageUnavailable> => {
      const token = bearerTokenOf(request)
      if (token !== undefined && isVisitorToken(token)) {
        const visitor = admitsVisitors ? visitorOfToken(token) : undefined
        return visitor === undefined
          ? Effect.fail(invalidVisitorToken)
          : Effect.succeed(visitorIdentity(visitor))
      }
      const user = authenticate(request)
      return admitsVisitors && request.header("authorization") === undefined
        ? Effect.catchTag(user, ["Unauthenticated", "Forbidden"], () => Effect.succeed(anonymousVisitor))
        : user
    }
)

/** Whom the questions of a request count for. */
export const callerKeyOf = (request: ApiRequest, { id, visitor }: Identity): string =>
  visitor === undefined ? `user:${id}` : `address:${addressOf(request)}`
