/** Bounds and completes the parameters of an authorization request, before the library of the authorization server receives them. */
import { apiResource, type StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { canonicalResource, type FindResource, isOnServer, type ProgramResource } from "./resources.ts"

const maximumParameterLength = 2_000

/** A list of all permissions is the longest parameter. */
const maximumScopeLength = 4_000

const maximumResources = 5

/** The parameters that have an effect. `request` and `request_uri` are rejected by the library. */
const parameterNames = [
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "prompt",
  "request",
  "request_uri"
]

/** Why the parameters of a request are rejected. */
export class InvalidParameters {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const scopeOf = (requested: string, resources: ReadonlyArray<ProgramResource>): string => {
  const permitted = new Set(resources.flatMap(({ permissions }) => permissions))
  const scopes = [...new Set(requested.split(" "))].filter((scope) => permitted.has(scope))
  return (scopes.length > 0 ? scopes : [...new Set(resources.flatMap(({ defaults }) => defaults))]).join(" ")
}

/** Returns the parameters for the library, with the resource and the permissions that apply by default. Fails for parameters over the bounds. */
export const authorizationParameters = Effect.fnUntraced(function* (
  given: URLSearchParams,
  issuer: string,
  findResource: FindResource
): Effect.fn.Return<URLSearchParams, InvalidParameters | StorageUnavailable> {
  const parameters = new URLSearchParams()
  for (const name of parameterNames) {
    for (const value of given.getAll(name)) {
      if (value.length > maximumParameterLength) {
        return yield* Effect.fail(
          new InvalidParameters(`${name} must have at most ${maximumParameterLength} characters.`)
        )
      }
      parameters.append(name, value)
    }
  }
  if (given.has("response_mode") && given.get("response_mode") !== "query") {
    return yield* Effect.fail(new InvalidParameters("response_mode must be query."))
  }
  // Of a loopback address, any port matches a registered URI, also that of the server.
  if (given.getAll("redirect_uri").some((uri) => isOnServer(issuer, uri))) {
    return yield* Effect.fail(new InvalidParameters("redirect_uri must not be on this server."))
  }
  const urls = [...new Set(given.getAll("resource").map((url) => canonicalResource(issuer, url)))]
  if (urls.length === 0) urls.push(apiResource(issuer))
  const scope = given.getAll("scope")
  if (urls.length > maximumResources) {
    return yield* Effect.fail(new InvalidParameters(`resource must be at most ${maximumResources} URLs.`))
  }
  if (scope.length > 1 || (scope[0]?.length ?? 0) > maximumScopeLength) {
    return yield* Effect.fail(
      new InvalidParameters(`scope must be one value of at most ${maximumScopeLength} characters.`)
    )
  }
  const resources: Array<ProgramResource> = []
  for (const url of urls) {
    parameters.append("resource", url.slice(0, maximumParameterLength))
    const resource = yield* findResource(url)
    if (resource !== undefined) resources.push(resource)
  }
  if (resources.length > 0) parameters.set("scope", scopeOf(scope[0] ?? "", resources))
  return parameters
})
