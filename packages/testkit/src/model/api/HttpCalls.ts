/** Converts the calls of scenarios to HTTP requests, and the responses to outcomes. */
import { Api } from "@lectern/model/api"
import { HttpApi } from "effect/http-api"
import { type OperationId, routes } from "./routes.ts"
import { services } from "./services.ts"
import type { Call, Outcome } from "./WorkspaceApi.ts"

/** A request to the API. */
export interface HttpCall {
  /** The method, such as `POST`. */
  readonly method: string
  /** The path with the version and the query, such as `/v1/spaces/1?limit=3`. */
  readonly path: string
  /** The JSON body; absent without one. */
  readonly body?: unknown
}

/** Formats a query. A list is sent as one parameter per item. */
const formatQuery = (query: unknown): string => {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [key, String(one)])
  )
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`
}

/** Path parameters that belong to the content argument of a call, such as `{ space }` or `{ space, revision }`. */
const contentParameters = new Set(["spaceId", "collectionId", "changeRequestId", "revisionId"])

/** Path parameters that belong to the content argument `{ organization, site }`. */
const siteParameters = new Set(["organizationId", "siteId"])

/** Queries of operations whose input is the body, by the operation of core. */
const writeQueries: Readonly<Record<string, string>> = { "Content.edit": "?compat=false" }

interface Endpoint {
  readonly method: string
  /** The path with its parameters, such as `/v1/spaces/:spaceId`. */
  readonly path: string
}

const endpoints = new Map<OperationId, Endpoint>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const { method, path } = endpoint
    endpoints.set(endpoint.identifier as OperationId, { method, path })
  }
})

const parametersOf = ({ path }: Endpoint): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const isId = (value: unknown): value is number | string =>
  typeof value === "string" || typeof value === "number"

/**
 * Splits the arguments of a call into the path parameters of an operation and the rest. Returns undefined if the
 * operation requires other parameters.
 */
const bindArguments = (operation: Endpoint, args: ReadonlyArray<unknown>) => {
  const names = parametersOf(operation)
  const [content, ...others] = args
  if (names.length === 0 || typeof content !== "object" || content === null) {
    const values = args.slice(0, names.length)
    return values.length === names.length && values.every(isId)
      ? { values, rest: args.slice(names.length) }
      : undefined
  }
  const ids = Object.entries(content).filter(([, id]) => id !== undefined)
  const contentNames = "site" in content ? siteParameters : contentParameters
  const ofContent = names.filter((name) => contentNames.has(name))
  const fits = ids.length === ofContent.length && ids.every(([name]) => ofContent.includes(`${name}Id`))
  const byName = Object.fromEntries(ids.map(([name, id]) => [`${name}Id`, id]))
  const count = names.length - ids.length
  const values = [...ofContent.map((name) => byName[name]), ...others.slice(0, count)]
  return fits && values.every(isId) ? { values, rest: others.slice(count) } : undefined
}

/**
 * Converts a call to a request of the API operation that the core operation serves. If it serves several, the request is
 * that of the path with the most parameters for which the arguments have values. Throws if no operation serves the call.
 */
export const toRequest = ([service, method, args]: Call): HttpCall => {
  const serviceName = services[service].key.split("/").at(-1)!
  const name = `${serviceName}.${method}`
  const [found] = (routes[serviceName]?.[method] ?? [])
    .flatMap((id) => {
      const operation = endpoints.get(id)!
      const bound = bindArguments(operation, args)
      return bound === undefined ? [] : [{ operation, ...bound }]
    })
    .sort((a, b) => b.values.length - a.values.length)
  if (found === undefined) {
    throw new Error(`No operation of the API serves ${name} with these arguments.`)
  }
  const { operation, values, rest } = found
  const [input] = rest
  let index = 0
  const path = operation.path.replace(/:\w+/g, () => encodeURIComponent(String(values[index++])))
  const isWrite = operation.method !== "GET"
  const query = isWrite ? (writeQueries[name] ?? "") : formatQuery(input)
  const request = { method: operation.method, path: `${path}${query}` }
  return isWrite && input !== undefined ? { ...request, body: input } : request
}

const errorTags: Record<number, string> = {
  400: "InvalidInput",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed"
}

/** Converts a response to the outcome of the call. Rejects a status that no scenario expects, such as 500. */
export const toOutcome = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  if (response.ok) return { ok: true, value: text === "" ? undefined : JSON.parse(text) }
  const error = errorTags[response.status]
  if (error === undefined) throw new Error(`${response.status}: ${text}`)
  return { ok: false, error }
}
