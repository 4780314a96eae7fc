/**
 * The routes of SAML single sign-on, which browsers open without a token. `…/start` redirects to the identity provider,
 * `…/acs` verifies its response and signs a browser in, or returns an API token to a program, and the path of the service itself returns the metadata that the
 * provider is configured with.
 */
import { createHash } from "node:crypto"
import { Conflict, type InvalidInput, PublicUrl, SamlLogins, ssoPath } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { isPackageMissing } from "../isPackageMissing.ts"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import {
  BodyTooLarge,
  type Overloaded,
  toResponse,
  unknownMethod,
  unknownPath
} from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "../server/messages/Message.ts"
import { formatBrowserCookie, newBrowserSecret } from "../signIn/browserCookie.ts"
import { confirmReplacement } from "../signIn/confirmReplacement.ts"
import { renderFailurePage } from "../signIn/failurePage.ts"
import { returnPath } from "../signIn/returnPath.ts"
import { verifySamlResponse } from "./verifySamlResponse.ts"

/** The optional package that parses and signs the messages of SAML. */
const samlLibrary = "@node-saml/node-saml"

/** The SAML library is large, and few servers use it. It is loaded by the first request that needs it, and hosts can omit it. */
const loadMessages = Effect.tryPromise({
  try: () => import("./messages.ts"),
  catch: (error) => error
}).pipe(
  Effect.catch((error) =>
    isPackageMissing(error, samlLibrary)
      ? Effect.fail(
          new Conflict({
            reason: "LibraryMissing",
            message: `This server cannot sign people in by SAML: the package ${samlLibrary} is not installed.`
          })
        )
      : Effect.die(error)
  )
)

const noStoreHeaders = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

/** The maximum size of a form with a response, in bytes. Responses of real providers have 5 to 50 KiB. */
const formLimit = 256 * 1024

const formTooLarge = Effect.fail(new BodyTooLarge({ limit: formLimit }))

/** Decodes the body of a form. */
const decodeForm = (body: Uint8Array): URLSearchParams => new URLSearchParams(new TextDecoder().decode(body))

const acceptsHtml = (request: ApiRequest): boolean => /text\/html/i.test(request.header("accept") ?? "")

/** Creates the routes of single sign-on. */
export const makeSamlRoutes = Effect.gen(function* () {
  const logins = yield* SamlLogins
  const cookies = yield* makeSessionCookies
  const publicUrl = yield* PublicUrl

  const getMetadata = Effect.fnUntraced(function* (provider: string) {
    const service = yield* logins.getService({ provider })
    const { serviceMetadata } = yield* loadMessages
    const body = serviceMetadata(service)
    const headers = { "content-type": "application/samlmetadata+xml", "x-content-type-options": "nosniff" }
    return { status: 200, headers, body } satisfies ApiResponse
  })

  const startLogin = Effect.fnUntraced(function* (provider: string, request: ApiRequest) {
    const returnTo = returnPath(new URLSearchParams(request.url.split("?")[1] ?? "").get("return"))
    const confirmation = confirmReplacement(request, cookies, publicUrl, { label: undefined, returnTo })
    if (confirmation !== undefined) return confirmation
    const secret = newBrowserSecret()
    const browser = createHash("sha256").update(secret).digest("hex")
    const { parties, requestId, state } = yield* logins.begin({ provider, input: { browser } })
    const { authorizeUrl } = yield* loadMessages
    return emptyResponse(302, {
      ...noStoreHeaders,
      location: yield* authorizeUrl(parties, requestId, state),
      "set-cookie": formatBrowserCookie(secret, returnTo, cookies.isSecure(request))
    })
  })

  const finishLogin = Effect.fnUntraced(function* (provider: string, request: ApiRequest) {
    if (Number(request.header("content-length")) > formLimit) return yield* formTooLarge
    const body = yield* request.body
    if (body.length > formLimit) return yield* formTooLarge
    const form = decodeForm(body)
    const state = form.get("RelayState") ?? ""
    // Checked before the response is parsed: only a login that started here within 10 minutes costs more than this.
    const parties = yield* logins.resume({ provider, input: { state } })
    const identity = yield* verifySamlResponse(parties, form.get("SAMLResponse") ?? "")
    if (acceptsHtml(request)) {
      // Browsers do not send cookies with this request of another website, but with the redirect.
      const { link } = yield* logins.finishInBrowser({ provider, input: { identity, state } })
      const location = `../../../~/sign-in/${Redacted.value(link)}`
      return emptyResponse(303, { ...noStoreHeaders, location })
    }
    const { token, ...login } = yield* logins.finish({ provider, input: { identity, state } })
    return jsonResponse(200, JSON.stringify({ ...login, token: Redacted.value(token) }), {
      ...noStoreHeaders
    })
  })

  const routes = {
    "": { method: "GET", handle: getMetadata },
    start: { method: "GET", handle: startLogin },
    acs: { method: "POST", handle: finishLogin }
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
      (error: Parameters<typeof toResponse>[0] | BodyTooLarge | InvalidInput | Overloaded) =>
        // The cookie of the browser remains: it was not sent with a response that another website posts.
        Effect.succeed(
          action !== "" && acceptsHtml(request) ? renderFailurePage(request, error) : toResponse(error)
        )
    )
  }
})
