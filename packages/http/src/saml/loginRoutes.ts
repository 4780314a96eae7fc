/**
 * The routes of single sign-on (decision D13), which browsers visit without a token: `…/start` redirects to the identity
 * provider, `…/acs` receives its response and returns the token, and the path of the service itself returns the
 * metadata that the provider is configured with.
 */
import { type InvalidInput, SamlLogins, ssoPath } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { type BodyTooLarge, toResponse, unknownMethod, unknownPath } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "../server/messages/Message.ts"
import { loginPage } from "./loginPage.ts"
import { authorizeUrl, serviceMetadata, verifySamlResponse } from "./messages.ts"

const uncached = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

/** The fields of a form as identity providers make browsers send it. */
const fieldsOf = (body: Uint8Array): URLSearchParams => new URLSearchParams(new TextDecoder().decode(body))

const wantsPage = (request: ApiRequest): boolean => /text\/html/i.test(request.header("accept") ?? "")

/** Creates the routes of single sign-on. */
export const makeSamlRoutes = Effect.map(SamlLogins, (logins) => {
  const metadata = Effect.fnUntraced(function* (provider: string) {
    const body = serviceMetadata(yield* logins.getService({ provider }))
    const headers = { "content-type": "application/samlmetadata+xml", "x-content-type-options": "nosniff" }
    return { status: 200, headers, body } satisfies ApiResponse
  })

  const start = Effect.fnUntraced(function* (provider: string) {
    const { parties, requestId, state } = yield* logins.begin({ provider })
    return empty(302, { ...uncached, location: yield* authorizeUrl(parties, requestId, state) })
  })

  const accept = Effect.fnUntraced(function* (provider: string, request: ApiRequest) {
    const parties = yield* logins.getParties({ provider })
    const fields = fieldsOf(yield* request.body)
    const identity = yield* verifySamlResponse(parties, fields.get("SAMLResponse") ?? "")
    const { token, ...login } = yield* logins.finish({
      provider,
      input: { identity, state: fields.get("RelayState") ?? "" }
    })
    const shown = { ...login, token: Redacted.value(token) }
    return wantsPage(request) ? loginPage(shown, uncached) : json(200, JSON.stringify(shown), { ...uncached })
  })

  const routes = {
    "": { method: "GET", handle: metadata },
    start: { method: "GET", handle: start },
    acs: { method: "POST", handle: accept }
  } as const

  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const [path] = request.url.split("?", 1)
    const [provider = "", action = "", ...rest] = path!.slice(ssoPath.length).split("/")
    const route = Object.hasOwn(routes, action) ? routes[action as keyof typeof routes] : undefined
    if (route === undefined || rest.length > 0) return Effect.succeed(unknownPath())
    const method = request.method === "HEAD" ? "GET" : request.method
    if (method !== route.method) return Effect.succeed(unknownMethod(request.method, [route.method]))
    return Effect.catch(
      route.handle(provider, request),
      (error: Parameters<typeof toResponse>[0] | BodyTooLarge | InvalidInput) =>
        Effect.succeed(toResponse(error))
    )
  }
})
