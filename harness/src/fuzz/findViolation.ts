/** Checks a response of a fuzz run. */

import type { ApiOperation } from "./ApiOperation.ts"
import type { HttpResponse } from "./client.ts"
import type { PreparedRequest } from "./prepare.ts"
import { idsIn, type World } from "./World.ts"

/**
 * Statuses that any operation may return without declaring them, as the server rejects such requests before routing.
 */
const undeclaredStatuses: ReadonlySet<number> = new Set([400, 401, 404, 405, 406, 413, 415])

const isErrorBody = (text: string, status: number): boolean => {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: { readonly code?: unknown; readonly reason?: unknown; readonly message?: unknown }
    }
    const isText = (value: unknown) => typeof value === "string" && value !== ""
    return error?.code === status && isText(error.reason) && isText(error.message)
  } catch {
    return false
  }
}

const errorPathsOf = (text: string): ReadonlyArray<string> => {
  const { error } = JSON.parse(text) as {
    readonly error: { readonly details?: ReadonlyArray<{ readonly path: string }> }
  }
  return (error.details ?? []).map(({ path }) => path)
}

const excerptAround = (text: string, secret: string): string => {
  const at = text.indexOf(secret)
  return text.slice(Math.max(0, at - 200), at + 300)
}

/**
 * Returns the marker or an id of the other organization if the response contains it and the path and body of the
 * request do not; undefined otherwise. No response repeats the query, so its contents are not exempt.
 */
const findLeak = (
  { text, headers }: HttpResponse,
  { request }: PreparedRequest,
  world: World
): string | undefined => {
  const content = `${text} ${JSON.stringify(headers)}`
  const sent = `${decodePath(request.path.replace(/[?].*/, ""))} ${typeof request.body === "string" ? request.body : ""}`
  if (content.includes(world.other.marker) && !sent.includes(world.other.marker)) return world.other.marker
  return idsIn(content).find((id) => world.secrets.has(id) && !sent.includes(id))
}

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the rule that a response violates, with the observed value; undefined if it violates none. */
export const findViolation = (
  operation: ApiOperation,
  prepared: PreparedRequest,
  response: HttpResponse,
  world: World
): string | undefined => {
  const { status, text, headers } = response
  const check = operation.bodyChecks.get(status)
  if (status >= 500 && (check === undefined || status === 503))
    return `returned ${status}: ${text.slice(0, 500)}`
  const secret = findLeak(response, prepared, world)
  if (secret !== undefined)
    return `disclosed ${secret} of the other organization: ${excerptAround(`${text} ${JSON.stringify(headers)}`, secret)}`
  if (prepared.expectedStatuses !== undefined && !prepared.expectedStatuses.has(status)) {
    return `returned ${status}, expected ${[...prepared.expectedStatuses].join(" or ")}: ${text.slice(0, 500)}`
  }
  if (prepared.mayMatchOtherRoute) return undefined
  if (status === 304) return text === "" ? undefined : "returned 304 with a body"
  if (check === undefined && !(undeclaredStatuses.has(status) && isErrorBody(text, status))) {
    return `returned the undeclared status ${status}: ${text.slice(0, 500)}`
  }
  const difference = check?.(text)
  if (difference !== undefined) return `returned ${status}, and ${difference}: ${text.slice(0, 300)}`
  const type = headers["content-type"]
  if (text === "" ? type !== undefined : type !== "application/json")
    return `returned ${status} with the content type ${type}, expected ${text === "" ? "none" : "application/json"}`
  if (prepared.reportsDefect !== undefined && !prepared.reportsDefect(errorPathsOf(text))) {
    return `reported an error at ${JSON.stringify(errorPathsOf(text))}, which is not the defect of the input`
  }
  return undefined
}
