/** The routes of the authorization server: its endpoints, its pages and its metadata. */
import { HostSignIn, languageOf, ProgramGrants, PublicUrl, type Records } from "@lectern/core"
import { Effect } from "effect"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import { version } from "../server/messages/apiVersion.ts"
import {
  type Failure,
  rateLimited,
  toResponse,
  unknownMethod,
  unknownPath
} from "../server/messages/failures.ts"
import {
  type ApiRequest,
  type ApiResponse,
  addressOf,
  emptyResponse,
  jsonResponse
} from "../server/messages/Message.ts"
import { readBytes } from "../server/messages/readBytes.ts"
import { alert, renderSignInPage } from "../signIn/page.ts"
import { signInTexts } from "../signIn/texts.ts"
import { addBrowserRequest, readBrowserRequests } from "./browserRequests.ts"
import { decodeMetadata, registrationLimit } from "./clientMetadata.ts"
import { makeConsentPage } from "./consentPage.ts"
import { makeDevicePage } from "./devicePage.ts"
import { makeProgramLimits, maximumPrograms } from "./limits.ts"
import { resourceMetadata, serverMetadata } from "./metadata.ts"
import { type BridgedResponse, sendToListener } from "./nodeBridge.ts"
import { oauthPaths, resourceMetadataPath, serverMetadataPath } from "./paths.ts"
import { makePerson } from "./person.ts"
import { authorizationParameters, InvalidParameters } from "./requestParameters.ts"
import { canonicalResource, makeFindResource } from "./resources.ts"
import { programTexts } from "./texts.ts"

/** The maximum size of a form that a program sends, in bytes. */
const formLimit = 16 * 1024

/** The headers of a request that the library reads. */
const forwardedHeaders = [
  "accept",
  "accept-language",
  "access-control-request-headers",
  "access-control-request-method",
  "content-type",
  "origin"
]

const oauthError = (status: number, error: string, description: string): ApiResponse =>
  jsonResponse(status, JSON.stringify({ error, error_description: description }), {
    "cache-control": "no-store"
  })

const toApiResponse = ({ status, headers, body }: BridgedResponse): ApiResponse => ({
  status,
  headers: { ...headers, "referrer-policy": "no-referrer" },
  body: body === "" ? undefined : body
})

/** Admits programs in browsers, which register without credentials. */
const preflight = (): ApiResponse =>
  emptyResponse(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "3600"
  })

const headersOf = (request: ApiRequest): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

/** Replaces the resources of a token request by the URLs that its grant names. */
const withCanonicalResources = (issuer: string, given: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...given].map(([name, value]) => [name, name === "resource" ? canonicalResource(issuer, value) : value])
  )

/** Renders the page of a request whose error its program cannot receive: it names no valid one, or no valid place to return to. */
const renderErrorPage = (acceptLanguage: string | undefined, message: string, status = 400): ApiResponse => {
  const language = languageOf(acceptLanguage)
  return renderSignInPage({
    language,
    title: programTexts[language].rejected,
    body: alert(message),
    status
  })
}

/** Returns the error in a URL to which the library redirects. */
const errorIn = (location: string): string => {
  const parameters = URL.parse(location)?.searchParams
  return parameters?.get("error_description") ?? parameters?.get("error") ?? ""
}

/** Creates the routes of the authorization server. */
export const makeProgramRoutes = Effect.gen(function* () {
  const issuer = yield* PublicUrl
  const grants = yield* ProgramGrants
  const findResource = yield* makeFindResource
  const limit = yield* makeProgramLimits
  const person = yield* makePerson
  const cookies = yield* makeSessionCookies
  const hostSignIn = yield* HostSignIn
  const run = Effect.runPromiseWith(yield* Effect.context<Records>())
  const consent = makeConsentPage({ issuer, grants, findResource, person })
  const device = makeDevicePage({ grants, findResource, person, limit })

  const loaded = yield* Effect.cached(
    Effect.flatMap(
      Effect.promise(() => import("./provider.ts")),
      ({ makeProvider }) =>
        makeProvider({
          issuer,
          grants,
          findResource,
          run,
          renderError: (context, message) => {
            const { headers, body } = renderErrorPage(context.get("accept-language"), message)
            for (const [name, value] of Object.entries(headers)) context.set(name, value)
            context.body = body
          },
          onServerError: (error) => void run(Effect.logError("The authorization server has failed.", error))
        })
    )
  )

  const send = Effect.fnUntraced(function* (
    request: ApiRequest,
    url: string,
    body?: Uint8Array,
    headers: Record<string, string> = {}
  ) {
    const { listener } = yield* loaded
    return yield* Effect.promise(() =>
      sendToListener(listener, new URL(issuer), {
        method: request.method,
        url,
        headers: { ...headersOf(request), ...headers },
        body
      })
    )
  })

  /** Completes the parameters of a request. */
  const complete = (given: URLSearchParams) => authorizationParameters(given, issuer, findResource)

  const startedBy = (request: ApiRequest): ReadonlyArray<string> =>
    readBrowserRequests(request.header("cookie"), cookies.isSecure(request))

  /**
   * Whether the person of a request has authorized a program before. Anyone can register a program, so an error redirects to no other:
   * the server would redirect to any website (RFC 9700, section 4.11.2).
   */
  const isKnown = Effect.fnUntraced(function* (request: ApiRequest, program: string) {
    const identity = yield* person.find(request)
    return identity !== undefined && (yield* grants.isAuthorized(identity.id, program))
  })

  const authorize = Effect.fnUntraced(function* (request: ApiRequest, search: string) {
    if (request.method !== "GET") return unknownMethod(request.method, ["GET"])
    const parameters = yield* complete(new URLSearchParams(search))
    const response = yield* send(request, `${oauthPaths.authorize}?${parameters}`)
    const id = response.cookies.get("_interaction")
    const { location = "" } = response.headers
    if (id === undefined) {
      return location === "" || (yield* isKnown(request, parameters.get("client_id") ?? ""))
        ? toApiResponse(response)
        : renderErrorPage(request.header("accept-language"), errorIn(location))
    }
    return {
      status: 303,
      headers: {
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        // Relative, so that the browser remains at the host at which it has the cookie.
        location: location.slice(oauthPaths.authorize.lastIndexOf("/") + 1),
        "set-cookie": addBrowserRequest(startedBy(request), id, cookies.isSecure(request))
      },
      body: undefined
    }
  })

  const register = Effect.fnUntraced(function* (request: ApiRequest) {
    if (request.method === "OPTIONS") return preflight()
    if (request.method !== "POST") return unknownMethod(request.method, ["POST"])
    const retryAfter = yield* limit("register", addressOf(request))
    if (retryAfter !== undefined) return rateLimited(retryAfter)
    const body = yield* readBytes(request, registrationLimit)
    const metadata = yield* Effect.result(decodeMetadata(body, issuer))
    if (metadata._tag === "Failure") {
      return oauthError(400, metadata.failure.error, metadata.failure.error_description)
    }
    if ((yield* grants.records.count("Client")) >= maximumPrograms) {
      return oauthError(503, "temporarily_unavailable", "Too many programs are registered. Try again later.")
    }
    const response = toApiResponse(
      yield* send(request, oauthPaths.register, Buffer.from(JSON.stringify(metadata.success)), {
        "content-type": "application/json"
      })
    )
    return { ...response, headers: { ...response.headers, "access-control-allow-origin": "*" } }
  })

  const post = Effect.fnUntraced(function* (
    request: ApiRequest,
    path: string,
    name: "token" | "deviceAuthorization",
    isCompleted: boolean
  ) {
    if (request.method === "OPTIONS") return toApiResponse(yield* send(request, path))
    if (request.method !== "POST") return unknownMethod(request.method, ["POST"])
    const retryAfter = yield* limit(name, addressOf(request))
    if (retryAfter !== undefined) return rateLimited(retryAfter)
    const body = yield* readBytes(request, formLimit)
    const given = new URLSearchParams(body.toString())
    const parameters = isCompleted ? yield* complete(given) : withCanonicalResources(issuer, given)
    return toApiResponse(yield* send(request, path, Buffer.from(parameters.toString())))
  })

  const metadataOf = Effect.fnUntraced(function* (request: ApiRequest, path: string) {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return unknownMethod(request.method, ["GET", "HEAD"])
    }
    if (!path.startsWith(resourceMetadataPath)) {
      const ofPath = `${serverMetadataPath}${new URL(issuer).pathname}`
      return path === serverMetadataPath || path === ofPath ? serverMetadata(issuer) : unknownPath()
    }
    const rest = path.slice(resourceMetadataPath.length)
    // The metadata names the URL that the client has requested, which can have another name of this machine.
    const url = `${request.baseUrl ?? issuer}${rest === "" ? version : rest}`
    const resource = yield* findResource(url)
    return resource === undefined ? unknownPath() : resourceMetadata(issuer, { ...resource, url })
  })

  const handle = Effect.fnUntraced(function* (
    request: ApiRequest
  ): Effect.fn.Return<ApiResponse, Failure | InvalidParameters> {
    const [path = "", search = ""] = request.url.split("?", 2)
    if (path.startsWith("/.well-known/")) return yield* metadataOf(request, path)
    if (path === oauthPaths.authorize) return yield* authorize(request, search)
    if (path === oauthPaths.token || path === oauthPaths.revoke)
      return yield* post(request, path, "token", false)
    if (path === oauthPaths.deviceAuthorization) {
      return yield* post(request, path, "deviceAuthorization", true)
    }
    if (path === oauthPaths.register) return yield* register(request)
    if (!["GET", "HEAD", "POST"].includes(request.method)) {
      return unknownMethod(request.method, ["GET", "HEAD", "POST"])
    }
    if (hostSignIn === undefined && !cookies.isAvailable(request)) {
      const language = request.header("accept-language")
      return renderErrorPage(language, signInTexts[languageOf(language)].insecure, 403)
    }
    const server = yield* loaded
    if (path === oauthPaths.device) return yield* device(server.provider, request, search)
    const id = path.startsWith(`${oauthPaths.consent}/`) ? path.slice(oauthPaths.consent.length + 1) : ""
    return id === "" ? unknownPath() : yield* consent(server, request, id, startedBy(request))
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.catch(handle(request), (error) =>
      Effect.succeed(
        error instanceof InvalidParameters
          ? request.method === "POST"
            ? oauthError(400, "invalid_request", error.message)
            : renderErrorPage(request.header("accept-language"), error.message)
          : toResponse(error)
      )
    )
})
