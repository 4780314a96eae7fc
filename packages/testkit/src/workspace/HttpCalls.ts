/** The calls of stories as requests, and the answers as outcomes. */
import type { Call, Outcome } from "./WorkspaceApi.ts"

/** A request to the API. */
export interface HttpCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

type Arguments = ReadonlyArray<never>
type Route = readonly [method: string, path: (...args: Arguments) => string, body?: number]

const search = (page: unknown): string => {
  const entries = Object.entries((page ?? {}) as Record<string, unknown>).map(([key, value]) => [
    key,
    String(value)
  ])
  return entries.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(entries))}`
}

/** What collections and spaces have in common. */
const content = (name: "collections" | "spaces"): Record<string, Route> => {
  const one = (id: string) => `/v1/${name}/${id}`
  const act = (action: string): Route => ["POST", (id: string) => `${one(id)}/${action}`, 1]
  return {
    get: ["GET", one],
    update: ["PATCH", one, 1],
    remove: ["DELETE", one],
    create: ["POST", (organization: string) => `/v1/orgs/${organization}/${name}`, 1],
    list: ["GET", (organization: string, page: unknown) => `/v1/orgs/${organization}/${name}${search(page)}`],
    listSpaces: ["GET", (id: string, page: unknown) => `${one(id)}/spaces${search(page)}`],
    move: act("move"),
    transfer: act("transfer"),
    duplicate: act("duplicate"),
    restore: act("restore")
  }
}

const permissions = (shared: { readonly space?: string; readonly collection?: string }): string =>
  shared.space === undefined
    ? `/v1/collections/${shared.collection}/permissions`
    : `/v1/spaces/${shared.space}/permissions`
const member = (organization: string, user: string) => `/v1/orgs/${organization}/members/${user}`

/** By service and method: the method of the request, its path, and which argument is its body. */
const routes: Record<Call[0], Record<string, Route>> = {
  collections: content("collections"),
  spaces: content("spaces"),
  organizations: { get: ["GET", (id: string) => `/v1/orgs/${id}`] },
  members: {
    list: ["GET", (organization: string, page: unknown) => `/v1/orgs/${organization}/members${search(page)}`],
    update: ["PATCH", member, 2],
    remove: ["DELETE", member],
    spaces: [
      "GET",
      (organization: string, user: string, page: unknown) =>
        `${member(organization, user)}/spaces${search(page)}`
    ]
  },
  teams: {
    list: ["GET", (organization: string, page: unknown) => `/v1/orgs/${organization}/teams${search(page)}`],
    updateMembers: [
      "PUT",
      (organization: string, team: string) => `/v1/orgs/${organization}/teams/${team}/members`,
      2
    ]
  },
  invites: {
    create: ["POST", (organization: string) => `/v1/orgs/${organization}/link-invites`, 1],
    join: ["POST", (organization: string, invite: string) => `/v1/orgs/${organization}/invites/${invite}`]
  },
  grants: {
    updateUser: ["PATCH", (shared: object, user: string) => `${permissions(shared)}/users/${user}`, 2],
    updateTeam: ["PATCH", (shared: object, team: string) => `${permissions(shared)}/teams/${team}`, 2],
    aggregate: ["GET", (shared: object, page: unknown) => `${permissions(shared)}/aggregate${search(page)}`]
  }
}

/** The request that makes a call. */
export const toRequest = ([service, name, args]: Call): HttpCall => {
  const [method, path, body] = routes[service][name]!
  const request = { method, path: path(...(args as Arguments)) }
  return body === undefined || args[body] === undefined ? request : { ...request, body: args[body] }
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
