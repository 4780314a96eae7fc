/**
 * The routes of SCIM 2.0 (RFC 7644), by which identity providers manage the members and the teams of an organization. The API token
 * of a request determines the organization.
 */
import { CurrentUser, type OrganizationId, PublicUrl, scimPath, Unauthenticated } from "@lectern/core"
import type { JsonBounds } from "@lectern/model/schema"
import { Effect, Option, Schema } from "effect"
import { bearerTokenOf, makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { decodePath } from "../server/messages/decodePath.ts"
import { BodyTooLarge } from "../server/messages/failures.ts"
import { parseJson } from "../server/messages/json.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import { readBytes } from "../server/messages/readBytes.ts"
import { resourceDefinitions, resourceType, schemaResource, serviceProviderConfig } from "./discovery.ts"
import { makeGroups } from "./groups.ts"
import { listResources, readListQuery, wholeList } from "./lists.ts"
import { applyPatch, type Document, PatchRequest, readDocument } from "./patch.ts"
import { type Projection, projector, readAttributes } from "./projection.ts"
import { badRequest, errorResponse, failure, type ScimError, scimResponse } from "./scimError.ts"
import { type Action, entityTag, type ResourceStore, type StoredResource } from "./store.ts"
import { makeUsers } from "./users.ts"

/** The maximum size of a body, in bytes. A group with 10,000 members has about 700 KiB. */
export const maximumBodyBytes = 1024 * 1024

/** The bounds of a body: groups have many members, and no resource has many attributes. */
const bodyBounds: JsonBounds = { values: 60_000, keys: 1_000 }

/** How often a change is applied again, if the resource changes between its reading and its writing. */
const maximumAttempts = 5

const missingToken = new Unauthenticated({
  reason: "TokenMissing",
  message: "The request has no API token. Send one as `Authorization: Bearer <token>`."
})

const unlimitedToken = failure(403, "The API token must be limited to one organization. Create one that is.")
const unknownResource = failure(404, "There is no such resource.")
const notModifiable = failure(405, "The method is not allowed for this resource.")
const stale = failure(412, "The resource has changed since the version that If-Match names. Read it again.")

const decodePatch = Schema.decodeUnknownOption(PatchRequest)

const isJson = (request: ApiRequest): boolean =>
  /^application\/(scim\+)?json\s*(;|$)/i.test(request.header("content-type") ?? "") &&
  /^(identity)?$/i.test(request.header("content-encoding") ?? "")

/** Reads the body of a request. */
const readBody = Effect.fnUntraced(function* (request: ApiRequest) {
  if (!isJson(request)) {
    return yield* failure(415, "The body must be uncompressed JSON of the type application/scim+json.")
  }
  const body = yield* Effect.mapError(readBytes(request, maximumBodyBytes), (error) =>
    error instanceof BodyTooLarge
      ? failure(413, `The body must be at most ${maximumBodyBytes} bytes.`)
      : badRequest("invalidSyntax", "The body ended before its declared length.")
  )
  return yield* Effect.fromResult(parseJson(body, bodyBounds)).pipe(
    Effect.mapError(({ message }) => badRequest("invalidSyntax", `The body ${message}.`))
  )
})

/** A request with its organization and its parameters. */
interface Call {
  readonly request: ApiRequest
  readonly organization: OrganizationId
  /** The URL that the endpoints are below. */
  readonly base: string
  readonly query: Readonly<Record<string, string>>
  readonly projection: Projection
}

/** The entity tags of a header; undefined for any version, and without the header. */
const tagsOf = (header: string | undefined): ReadonlyArray<string> | undefined =>
  header === undefined || header.trim() === "*" ? undefined : header.split(",").map((tag) => tag.trim())

const matchesTag = (tags: ReadonlyArray<string>, version: string | undefined): boolean =>
  version !== undefined && tags.some((tag) => tag === entityTag(version) || tag === `"${version}"`)

/** Creates the handlers of a type of resources. */
const makeEndpoint = <Item extends StoredResource>(store: ResourceStore<Item>) => {
  const { definition } = store

  const respond = (status: number, item: Item, { base, projection, request }: Call): ApiResponse => {
    const resource = store.present(base, item)
    const tag = item.version === undefined ? undefined : entityTag(item.version)
    const headers: Record<string, string> = tag === undefined ? {} : { etag: tag }
    const known = request.method === "GET" ? tagsOf(request.header("if-none-match")) : undefined
    if (known !== undefined && matchesTag(known, item.version)) return emptyResponse(304, headers)
    if (status === 201) headers.location = (resource.meta as { readonly location: string }).location
    return scimResponse(status, projector(definition, projection)(resource), headers)
  }

  const load = Effect.fnUntraced(function* ({ organization }: Call, id: string) {
    const selection = { lookup: { id: [id] }, limit: 1, withMembers: true }
    const [item] = (yield* store.find(organization, selection)).items
    return item === undefined ? yield* unknownResource : item
  })

  /** Reads a resource, and requires the version that `If-Match` names. */
  const loadMatching = Effect.fnUntraced(function* (call: Call, id: string) {
    const item = yield* load(call, id)
    const tags = tagsOf(call.request.header("if-match"))
    return tags === undefined || matchesTag(tags, item.version) ? item : yield* stale
  })

  const changeOnce = Effect.fnUntraced(function* (
    call: Call,
    id: string,
    change: (document: Document) => Effect.Effect<Document, ScimError>
  ) {
    const item = yield* loadMatching(call, id)
    const before = store.documentOf(item)
    const after = yield* change(before)
    // A request that changes nothing does not change when the resource was last modified.
    if (JSON.stringify(before) === JSON.stringify(after)) return item
    return yield* store.replace(call.organization, item, after)
  })

  /** Changes a resource. It is read again if another request has changed it since, so that no change is lost. */
  const change = (
    call: Call,
    id: string,
    next: (document: Document) => Effect.Effect<Document, ScimError>
  ): Action<ApiResponse> =>
    changeOnce(call, id, next).pipe(
      Effect.retry({
        times: maximumAttempts - 1,
        while: (error) => error._tag === "PreconditionFailed" && call.request.header("if-match") === undefined
      }),
      Effect.map((item) => respond(200, item, call))
    )

  const list = (call: Call, values: Readonly<Record<string, unknown>>, projection: Projection) =>
    Effect.map(
      listResources(store, call.base, call.organization, readListQuery(values, projection)),
      (body) => scimResponse(200, body)
    )

  const create = Effect.fnUntraced(function* (call: Call) {
    const body = yield* readBody(call.request)
    const document = yield* Effect.fromResult(readDocument(definition, body))
    return respond(201, yield* store.create(call.organization, document, body), call)
  })

  const search = Effect.fnUntraced(function* (call: Call) {
    const body = yield* readBody(call.request)
    const values = (typeof body === "object" && body !== null ? body : {}) as Readonly<
      Record<string, unknown>
    >
    const named = (value: unknown) => readAttributes(Array.isArray(value) ? value.join(",") : undefined)
    const { attributes, excludedAttributes } = values
    return yield* list(call, values, {
      attributes: named(attributes),
      excludedAttributes: named(excludedAttributes)
    })
  })

  const replace = Effect.fnUntraced(function* (call: Call, id: string) {
    const body = yield* readBody(call.request)
    const document = yield* Effect.fromResult(readDocument(definition, body))
    // A client that does not name the state of a member does not change it.
    return yield* change(call, id, (before) =>
      Effect.succeed(
        "active" in before ? { ...document, active: document.active ?? before.active } : document
      )
    )
  })

  const patch = Effect.fnUntraced(function* (call: Call, id: string) {
    const request = decodePatch(yield* readBody(call.request))
    if (Option.isNone(request)) {
      return yield* badRequest(
        "invalidSyntax",
        "The body must be a PatchOp message with 1 to 500 operations, each with an `op`."
      )
    }
    return yield* change(call, id, (document) =>
      Effect.fromResult(applyPatch(definition, document, request.value))
    )
  })

  const remove = Effect.fnUntraced(function* (call: Call, id: string) {
    const isConditional = call.request.header("if-match") !== undefined
    const version = isConditional ? (yield* loadMatching(call, id)).version : undefined
    yield* store.remove(call.organization, id, version)
    return emptyResponse(204)
  })

  return (call: Call, id: string | undefined): Action<ApiResponse> => {
    const { method } = call.request
    if (id === undefined) {
      if (method === "GET") return list(call, call.query, call.projection)
      return method === "POST" ? create(call) : notModifiable
    }
    if (id === ".search") return method === "POST" ? search(call) : notModifiable
    switch (method) {
      case "GET":
        return Effect.map(load(call, id), (item) => respond(200, item, call))
      case "PUT":
        return replace(call, id)
      case "PATCH":
        return patch(call, id)
      case "DELETE":
        return remove(call, id)
      default:
        return notModifiable
    }
  }
}

/** Returns the resource of discovery at a path, or undefined. Discovery requires no token. */
const discover = (base: string, endpoint: string, id: string | undefined): unknown => {
  if (endpoint === "ServiceProviderConfig") return id === undefined ? serviceProviderConfig(base) : undefined
  const present =
    endpoint === "Schemas" ? schemaResource : endpoint === "ResourceTypes" ? resourceType : undefined
  if (present === undefined) return undefined
  const resources = resourceDefinitions.map((definition) => present(base, definition))
  return id === undefined ? wholeList(resources) : resources.find((resource) => resource.id === id)
}

/** Creates the routes below {@link scimPath}. */
export const makeScimRoutes = Effect.gen(function* () {
  const authenticate = yield* makeAuthenticateRequest
  const publicUrl = yield* PublicUrl
  const endpoints = {
    Users: makeEndpoint(yield* makeUsers),
    Groups: makeEndpoint(yield* makeGroups)
  } as const

  const handle = Effect.fnUntraced(function* (request: ApiRequest) {
    const [path = "", search] = request.url.split("?", 2)
    const [endpoint = "", segment, ...rest] = path.slice(scimPath.length + 1).split("/")
    const id = segment === undefined || segment === "" ? undefined : (decodePath(segment) ?? segment)
    const base = `${request.baseUrl ?? publicUrl}${scimPath}`
    if (request.method === "GET") {
      const found = discover(base, endpoint, id)
      if (found !== undefined && rest.length === 0) return scimResponse(200, found)
    }
    if (bearerTokenOf(request) === undefined) return yield* Effect.fail(missingToken)
    const user = yield* authenticate(request)
    if (user.organization === undefined) return yield* unlimitedToken
    if (endpoint === "Me" || endpoint === "Bulk") return yield* failure(501, `${endpoint} is not supported.`)
    if (!Object.hasOwn(endpoints, endpoint) || rest.length > 0) return yield* unknownResource
    const query = Object.fromEntries(new URLSearchParams(search))
    const projection = {
      attributes: readAttributes(query.attributes),
      excludedAttributes: readAttributes(query.excludedAttributes)
    }
    const call = { request, organization: user.organization, base, query, projection }
    const action = endpoints[endpoint as keyof typeof endpoints](call, id)
    return yield* Effect.provideService(action, CurrentUser, user)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.catch(handle(request), (error) => Effect.succeed(errorResponse(error)))
})
