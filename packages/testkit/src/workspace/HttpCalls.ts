/** The calls of stories as requests, and the answers as outcomes. */
import type { Call, Outcome } from "./WorkspaceApi.ts"

/** A request to the API. */
export interface HttpCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const paths: Record<string, (args: ReadonlyArray<string>) => string> = {
  collections: ([id]) => `/v1/collections/${id}`,
  spaces: ([id]) => `/v1/spaces/${id}`,
  organizations: ([id]) => `/v1/orgs/${id}`
}

const search = (page: unknown): string => {
  const entries = Object.entries((page ?? {}) as Record<string, unknown>).map(([key, value]) => [
    key,
    String(value)
  ])
  return entries.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(entries))}`
}

/** The request that makes a call. */
export const toRequest = ([service, name, args]: Call): HttpCall => {
  const one = paths[service]!(args as ReadonlyArray<string>)
  switch (name) {
    case "get":
      return { method: "GET", path: one }
    case "update":
      return { method: "PATCH", path: one, body: args[1] }
    case "remove":
      return { method: "DELETE", path: one }
    case "create":
      return { method: "POST", path: `/v1/orgs/${args[0]}/${service}`, body: args[1] }
    case "list":
      return { method: "GET", path: `/v1/orgs/${args[0]}/${service}${search(args[1])}` }
    case "listSpaces":
      return { method: "GET", path: `${one}/spaces${search(args[1])}` }
    default:
      return { method: "POST", path: `${one}/${name}`, body: args[1] }
  }
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

/** What a response says of the call. One that no story expects is thrown. */
export const toOutcome = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  if (response.ok) return { ok: true, value: text === "" ? undefined : JSON.parse(text) }
  const error = refusals[response.status]
  if (error === undefined) throw new Error(`${response.status}: ${text}`)
  return { ok: false, error }
}
