/**
 * The addresses of single sign-on (decision D13), which browsers go to, without a token: `…/start` sends them to the
 * identity provider, `…/acs` takes its answer and shows the token, and the address of the service itself has what
 * the provider is configured with.
 */
import { type InvalidInput, SamlLogins, ssoPath } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { type BodyTooLarge, toResponse, unknownMethod, unknownPath } from "../server/failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "../server/Message.ts"
import { welcome } from "./loginPage.ts"
import * as Saml from "./messages.ts"

const private_ = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

/** The fields of a form as identity providers make browsers send it. */
const fieldsOf = (body: Uint8Array): URLSearchParams => new URLSearchParams(new TextDecoder().decode(body))

const wantsPage = (request: ApiRequest): boolean => /text\/html/i.test(request.header("accept") ?? "")

/** Answers requests for these addresses. */
export const make = Effect.map(SamlLogins, (logins) => {
  const metadata = Effect.fnUntraced(function* (provider: string) {
    const body = Saml.metadata(yield* logins.service(provider))
    const headers = { "content-type": "application/samlmetadata+xml", "x-content-type-options": "nosniff" }
    return { status: 200, headers, body } satisfies ApiResponse
  })

  const start = Effect.fnUntraced(function* (provider: string) {
    const { parties, question, state } = yield* logins.begin(provider)
    return empty(302, { ...private_, location: yield* Saml.authorizeUrl(parties, question, state) })
  })

  const accept = Effect.fnUntraced(function* (provider: string, request: ApiRequest) {
    const parties = yield* logins.parties(provider)
    const fields = fieldsOf(yield* request.body)
    const identity = yield* Saml.verify(parties, fields.get("SAMLResponse") ?? "")
    const { token, ...login } = yield* logins.finish(provider, identity, fields.get("RelayState") ?? "")
    const shown = { ...login, token: Redacted.value(token) }
    return wantsPage(request) ? welcome(shown, private_) : json(200, JSON.stringify(shown), { ...private_ })
  })

  const routes = {
    "": { method: "GET", answer: metadata },
    start: { method: "GET", answer: start },
    acs: { method: "POST", answer: accept }
  } as const

  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const [path] = request.url.split("?", 1)
    const [provider = "", action = "", ...rest] = path!.slice(ssoPath.length).split("/")
    const route = Object.hasOwn(routes, action) ? routes[action as keyof typeof routes] : undefined
    if (route === undefined || rest.length > 0) return Effect.succeed(unknownPath())
    const method = request.method === "HEAD" ? "GET" : request.method
    if (method !== route.method) return Effect.succeed(unknownMethod(request.method, [route.method]))
    return Effect.catch(
      route.answer(provider, request),
      (error: Parameters<typeof toResponse>[0] | BodyTooLarge | InvalidInput) =>
        Effect.succeed(toResponse(error))
    )
  }
})
