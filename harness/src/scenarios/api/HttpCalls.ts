/** Converts calls of scenarios to requests, and responses to outcomes. */
import { content, routes, shared, subject } from "./HttpRoutes.ts"
import type { Call, Outcome } from "./WorkspaceApi.ts"

/** A request to the API. */
export interface HttpCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const ways = { content, shared, subject }

/** The query of a request; a list is its key again and again. */
const search = (query: unknown): string => {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [key, String(one)])
  )
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`
}

/** The request that makes a call. */
export const toRequest = ([service, name, args]: Call): HttpCall => {
  const route = (routes[service] as Readonly<Record<string, string>>)[name]
  if (route === undefined) throw new Error(`there is no request for ${service}.${name}`)
  const [method, pattern, ...rest] = route.split(" ") as [string, string, ...Array<string>]
  const path = pattern
    .replace(/\{(content|shared|subject)\}/, (_, way: keyof typeof ways) => ways[way](args[0] as object))
    .replace(/\{(\d)\}/g, (_, index) => encodeURIComponent(String(args[Number(index)])))
  const given = (sign: string) => {
    const found = rest.find((one) => one.startsWith(sign))
    return found === undefined ? undefined : args[Number(found.slice(1))]
  }
  const body = given("<")
  const request = { method, path: `/v1/${path}${search(given("?"))}` }
  return body === undefined ? request : { ...request, body }
}

const refusals: Record<number, string> = {
  400: "InvalidInput",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed"
}

/** Converts a response to the outcome of the call. Throws for a response that no scenario expects. */
export const toOutcome = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  if (response.ok) return { ok: true, value: text === "" ? undefined : JSON.parse(text) }
  const error = refusals[response.status]
  if (error === undefined) throw new Error(`${response.status}: ${text}`)
  return { ok: false, error }
}
