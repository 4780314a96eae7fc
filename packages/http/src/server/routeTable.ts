/** Matches methods and paths to operations. */
import { ChangedResource, Immutable, ReturnsSecret } from "@lectern/client"
import { Context, Result, Schema } from "effect"
import { make as makeRouter, type PathInput } from "effect/http/FindMyWay"
import type { ServedOperation } from "../handlers/shared/Handlers.ts"
import { makeRequestDecoder } from "./decode.ts"
import { version } from "./messages/apiVersion.ts"
import type { ReadCurrent } from "./preconditions.ts"

/** An operation with everything that is needed to call it. */
export interface Route {
  /** The path as declared, for the log, as in `/v1/spaces/:spaceId`. */
  readonly pattern: string
  readonly operation: ServedOperation
  /** Decodes its requests. */
  readonly decode: ReturnType<typeof makeRequestDecoder>
  /** The status of its successful responses. */
  readonly status: number
  /** Whether it can change stored data. */
  readonly isWrite: boolean
  /** Whether it returns the resource that it reads or changes, so that the response has the resource's entity tag. */
  readonly isTagged: boolean
  /** Whether a result contains a secret, which caches must not store. */
  readonly returnsSecret: (result: unknown) => boolean
  /** Whether its result never changes, so that clients can cache it permanently. */
  readonly isImmutable: boolean
  /** Reads the resource which this operation changes, to check `If-Match`. Undefined if it has no entity tag. */
  readonly readCurrent: ReadCurrent | undefined
}

/** The match of a request: its route, the methods that its path allows instead, or nothing. */
export type Match =
  | {
      readonly _tag: "Found"
      readonly route: Route
      readonly params: Record<string, string | undefined>
      readonly query: Record<string, string | Array<string>>
    }
  | { readonly _tag: "OtherMethod"; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "Nothing" }

/** The maximum number of characters of a path parameter. */
const maxSegmentLength = 2_000

/** Returns the status of a success, which annotates the schema or its context in the declaration. */
const successStatus = (operation: ServedOperation): number => {
  const [success] = operation.endpoint.success
  const status = success?.ast.annotations?.httpApiStatus ?? success?.ast.context?.annotations?.httpApiStatus
  return typeof status === "number" ? status : 200
}

/** Whether an operation returns a single resource, and not a list. */
const returnsResource = ({ endpoint }: ServedOperation): boolean => {
  const ast = [...endpoint.success][0]?.ast
  return !(ast?._tag === "Objects" && ast.propertySignatures.some(({ name }) => name === "items"))
}

/** Whether the resource that an operation returns is determined by its path, and not also by required query parameters. */
const isNamedByPath = ({ endpoint: { query } }: ServedOperation): boolean =>
  query === undefined ||
  Result.isSuccess(
    Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(query) as Schema.Codec<unknown, unknown>)({})
  )

/** Whether two operations return the same resource, and not only the same kind of status. */
const returnSameResource = (one: ServedOperation, other: ServedOperation): boolean => {
  const [first] = one.endpoint.success
  const [second] = other.endpoint.success
  return first !== undefined && first === second
}

/** Creates the function that reads a resource without query parameters. */
const makeReadCurrent = ({ endpoint, handle }: ServedOperation): ReadCurrent => {
  const query =
    endpoint.query === undefined
      ? {}
      : Schema.decodeUnknownSync(
          Schema.toCodecArrayFromSingle(endpoint.query) as Schema.Codec<unknown, unknown>
        )({})
  return ({ params }) => handle({ params, query })
}

/** This parameter matches the rest of the path, whose slashes can be encoded or not. */
const pathParameter = ":pagePath"

/** Replaces an encoded percent sign for the router. No URL contains it: a lone surrogate has no encoding. */
const percentSign = "\uD800"

/**
 * Prepares the path of a URL for the router, which would parse the first semicolon as the beginning of the query, and copies the
 * path for each encoded percent sign.
 */
const toRouterUrl = (url: string): string => {
  if (!url.includes(";") && !url.includes("%25")) return url
  const [path = ""] = url.split("?", 1)
  return path.replaceAll(";", "%3B").replaceAll("%25", percentSign) + url.slice(path.length)
}

/** Matches the {@link percentSign}, and not the half of a surrogate pair. */
const percentSigns = /\uD800/gu

/** Restores percent signs in the parameters of a path. */
const fromRouterParams = (
  params: Readonly<Record<string, string | undefined>>
): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value?.replace(percentSigns, "%")]))

/** Creates the function that matches a method and a URL to a route. HEAD matches the routes of GET. */
export const makeRouteTable = (operations: ReadonlyArray<ServedOperation>) => {
  const router = makeRouter<Route>({
    caseSensitive: true,
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: true,
    maxParamLength: maxSegmentLength
  })
  const methods = new Set<string>()
  const resources = new Map(
    operations
      .filter((operation) => operation.endpoint.method === "GET" && returnsResource(operation))
      .map((operation) => [operation.endpoint.path, operation])
  )
  for (const operation of operations) {
    const { endpoint } = operation
    const pattern = `${version}${endpoint.path}`
    const isWrite = endpoint.method !== "GET"
    const changedPath = Context.get(endpoint.annotations, ChangedResource)
    const atPath = resources.get(changedPath ?? endpoint.path)
    const resource = atPath === undefined || !isWrite || isNamedByPath(atPath) ? atPath : undefined
    if (changedPath !== undefined && resource === undefined) {
      throw new TypeError(`${endpoint.identifier} changes ${changedPath}, which no operation returns.`)
    }
    methods.add(endpoint.method)
    const path = pattern.endsWith(pathParameter) ? `${pattern.slice(0, -pathParameter.length)}*` : pattern
    router.on(endpoint.method, path as PathInput, {
      pattern,
      operation,
      decode: makeRequestDecoder(endpoint),
      status: successStatus(operation),
      isImmutable: Context.get(endpoint.annotations, Immutable),
      returnsSecret: Context.get(endpoint.annotations, ReturnsSecret),
      isWrite,
      isTagged: resource !== undefined && returnSameResource(operation, resource),
      readCurrent: isWrite && resource !== undefined ? makeReadCurrent(resource) : undefined
    })
  }

  return (method: string, requestUrl: string): Match => {
    const url = toRouterUrl(requestUrl)
    const found = router.find(method === "HEAD" ? "GET" : method, url)
    if (found !== undefined) {
      const { "*": rest, ...params } = url === requestUrl ? found.params : fromRouterParams(found.params)
      return {
        _tag: "Found",
        route: found.handler,
        params: rest === undefined ? params : { ...params, pagePath: rest },
        query: found.searchParams
      }
    }
    const allowed = [...methods].filter((other) => router.find(other, url) !== undefined)
    if (allowed.length === 0) return { _tag: "Nothing" }
    return { _tag: "OtherMethod", allowed: allowed.includes("GET") ? [...allowed, "HEAD"] : allowed }
  }
}
