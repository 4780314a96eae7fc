/** The table of routes: which operation a method and a path name. */

import { Immutable } from "@lectern/client"
import { Context } from "effect"
import { make as makeRouter, type PathInput } from "effect/http/FindMyWay"
import type { Operation } from "../handlers/shared/Handlers.ts"
import { makeRequestDecoder } from "./decode.ts"

/** An operation, ready to be called. */
export interface Route {
  /** The path as declared, for the log, as in `/v1/spaces/:spaceId`. */
  readonly pattern: string
  readonly operation: Operation
  readonly decode: ReturnType<typeof makeRequestDecoder>
  /** The status of a success. */
  readonly status: number
  /** Whether it returns the resource at the path, so that the response carries the resource's tag. */
  readonly isTagged: boolean
  /** Whether its result never changes. */
  readonly isImmutable: boolean
  /** The operation that returns the resource which this one changes; undefined where there is none. */
  readonly current: Operation | undefined
}

/** The match of a request: a route with the parameters of its path, or the methods that the path allows instead. */
export type Match =
  | {
      readonly _tag: "Found"
      readonly route: Route
      readonly params: Record<string, string | undefined>
      readonly query: Record<string, string | Array<string>>
    }
  | { readonly _tag: "OtherMethod"; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "Nothing" }

/** The version of the API, which every path begins with. */
export const version = "/v1"

/** The most characters of a segment of a path. */
const maxSegmentLength = 2_000

/** The status of a success, which is annotated on the schema or on its place in the declaration. */
const statusOf = (operation: Operation): number => {
  const [success] = operation.endpoint.success
  const status = success?.ast.annotations?.httpApiStatus ?? success?.ast.context?.annotations?.httpApiStatus
  return typeof status === "number" ? status : 200
}

/** Whether an operation returns a single resource, and not a list. */
const returnsResource = ({ endpoint }: Operation): boolean => {
  const ast = [...endpoint.success][0]?.ast
  return !(ast?._tag === "Objects" && ast.propertySignatures.some(({ name }) => name === "items"))
}

/** The path of a page takes all that is left of the address: its slashes may be encoded or not. */
const pathParameter = ":pagePath"

const unsafeMethods = new Set(["PATCH", "PUT", "DELETE"])

/** An address whose path has no semicolons but encoded ones: the router takes the first for the beginning of the query. */
const withoutSemicolons = (url: string): string => {
  if (!url.includes(";")) return url
  const [path = ""] = url.split("?", 1)
  return path.replaceAll(";", "%3B") + url.slice(path.length)
}

/** Creates the function that matches requests to routes. */
export const makeRouteTable = (operations: ReadonlyArray<Operation>) => {
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
    const resource = resources.get(endpoint.path)
    methods.add(endpoint.method)
    const path = pattern.endsWith(pathParameter) ? `${pattern.slice(0, -pathParameter.length)}*` : pattern
    router.on(endpoint.method, path as PathInput, {
      pattern,
      operation,
      decode: makeRequestDecoder(endpoint),
      status: statusOf(operation),
      isImmutable: Context.get(endpoint.annotations, Immutable),
      isTagged: resource !== undefined && returnsResource(operation),
      current: unsafeMethods.has(endpoint.method) ? resource : undefined
    })
  }

  return (method: string, given: string): Match => {
    const url = withoutSemicolons(given)
    // HEAD is GET, without the body.
    const found = router.find(method === "HEAD" ? "GET" : method, url)
    if (found !== undefined) {
      const { "*": rest, ...params } = found.params
      return {
        _tag: "Found",
        route: found.handler,
        params: rest === undefined ? found.params : { ...params, pagePath: rest },
        query: found.searchParams
      }
    }
    const allowed = [...methods].filter((other) => router.find(other, url) !== undefined)
    if (allowed.length === 0) return { _tag: "Nothing" }
    return { _tag: "OtherMethod", allowed: allowed.includes("GET") ? [...allowed, "HEAD"] : allowed }
  }
}
