/** Says what is wrong with an answer. */
import type { Answer } from "./client.ts"
import type { Declared } from "./Declared.ts"
import type { Prepared } from "./prepare.ts"
import { idsIn, type World } from "./World.ts"

/** What is answered before any operation is asked: to a path, a method, a caller, a type or a length that is none. */
const beforeAll: ReadonlySet<number> = new Set([400, 401, 404, 405, 406, 413, 415])

const isError = (text: string, status: number): boolean => {
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

const pathsOf = (text: string): ReadonlyArray<string> => {
  const { error } = JSON.parse(text) as {
    readonly error: { readonly details?: ReadonlyArray<{ readonly path: string }> }
  }
  return (error.details ?? []).map(({ path }) => path)
}

const around = (text: string, secret: string): string => {
  const at = text.indexOf(secret)
  return text.slice(Math.max(0, at - 200), at + 300)
}

/**
 * What of the other organization is in an answer that was not in the request. What was looked for by a query is no
 * excuse: nothing repeats it.
 */
const leaked = ({ text, headers }: Answer, { request }: Prepared, world: World): string | undefined => {
  const answered = `${text} ${JSON.stringify(headers)}`
  const asked = `${decoded(request.path.replace(/[?].*/, ""))} ${typeof request.body === "string" ? request.body : ""}`
  if (answered.includes(world.other.marker) && !asked.includes(world.other.marker)) return world.other.marker
  return idsIn(answered).find((id) => world.secrets.has(id) && !asked.includes(id))
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What is wrong with an answer, in a sentence; undefined where nothing is. */
export const judge = (
  declared: Declared,
  prepared: Prepared,
  answer: Answer,
  world: World
): string | undefined => {
  const { status, text, headers } = answer
  const check = declared.checks.get(status)
  if (status >= 500 && (check === undefined || status === 503))
    return `answers ${status}: ${text.slice(0, 500)}`
  const secret = leaked(answer, prepared, world)
  if (secret !== undefined)
    return `shows ${secret}, of the other organization: ${around(`${text} ${JSON.stringify(headers)}`, secret)}`
  if (prepared.statuses !== undefined && !prepared.statuses.has(status)) {
    return `answers ${status}, not ${[...prepared.statuses].join(" or ")}: ${text.slice(0, 500)}`
  }
  if (prepared.isElsewhere) return undefined
  if (status === 304) return text === "" ? undefined : "answers 304 with a body"
  if (check === undefined && !(beforeAll.has(status) && isError(text, status))) {
    return `answers ${status}, which it does not declare: ${text.slice(0, 500)}`
  }
  const difference = check?.(text)
  if (difference !== undefined) return `answers ${status}, and ${difference}: ${text.slice(0, 300)}`
  const type = headers["content-type"]
  if (text === "" ? type !== undefined : type !== "application/json") return `answers ${status} as ${type}`
  if (prepared.named !== undefined && !prepared.named(pathsOf(text))) {
    return `names ${JSON.stringify(pathsOf(text))}, which is not what is wrong`
  }
  return undefined
}
