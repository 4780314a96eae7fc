/** Makes the request of an attempt, in the world as it is, and says what may be answered. */
import { isMutationPath, type MutatedInput } from "@lectern/testkit/arbitraries"
import type { Attempt, Foreign } from "./Attempt.ts"
import type { Request } from "./client.ts"
import { type Declared, parametersOf } from "./Declared.ts"
import { type Entry, type Pool, subjectOf } from "./Pool.ts"
import { cursorMark, kinds, resolved } from "./References.ts"
import type { World } from "./World.ts"

/** A request, and what is certain of its answer. */
export interface Prepared {
  readonly request: Request
  /** What the path is of, with what it is within; undefined where the path names nothing. */
  readonly entry: Entry | undefined
  /** The address without the page of a list. */
  readonly address: string
  /** The statuses that are right; undefined where any that is declared is. */
  readonly statuses: ReadonlySet<number> | undefined
  /**
   * The same request with a valid input, where `statuses` is about the input. Access to what the path names is checked
   * before the input: a request with an invalid one may end as this does, with 403 or 404.
   */
  readonly validRequest: Request | undefined
  /** Whether it may have become a request to another operation. */
  readonly isElsewhere: boolean
  /** Whether the answer names what is wrong, where that is known: of the paths in `details`. */
  readonly named: ((paths: ReadonlyArray<string>) => boolean) | undefined
}

/** What of the other organization may be answered with more than that there is no such thing, and why. */
const open: Readonly<Record<string, ReadonlyArray<number>>> = {
  // Names of integrations are global: that one is taken cannot be hidden from who wants it (D14).
  publishIntegration: [403],
  // A user who has the id of an invite can view it, and join by it.
  getOrganizationInviteLink: [200],
  // Nothing is found for those who are not of the domain (D13): an empty list, and no organization is named.
  getOrganizationsForEmailDomain: [200]
}

/** Who knows an invite may join by it: to do so is no leak. */
const isCapability = (subject: string | undefined): boolean =>
  subject?.endsWith("/invites/:inviteId") === true

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const queryOf = (query: Attempt["query"]): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one) => `${encoded(name)}=${encoded(one)}`)
    )
    .join("&")

const nth = <A>(all: ReadonlyArray<A>, which: number): A | undefined => all[which % Math.max(1, all.length)]

/** What a mark refers to: of its kind, and of the same site, space and organization as the path, if there is any. */
const finder =
  (pool: Pool, near: Entry) =>
  (kind: string, which: number): string | undefined => {
    const subject = kinds[kind]
    if (subject === undefined) return undefined
    const name = parametersOf(subject).at(-1)!
    const all = pool.entries.get(subject) ?? []
    const closeness = (entry: Entry) =>
      Object.entries(entry).filter(([key, value]) => key !== name && near[key] === value).length
    const closest = Math.max(0, ...all.map(closeness))
    return nth(
      all.filter((entry) => closeness(entry) === closest),
      which
    )?.[name]
  }

/** What comes first in the answer to a request of somebody who is not known, and to a body that is none. */
const certain = ({ mutation }: Attempt): ReadonlySet<number> | undefined => {
  if (mutation.kind === "mutated") return new Set([400])
  if (mutation.kind !== "hostile") return undefined
  switch (mutation.way) {
    case "token":
      return new Set([401])
    case "bytes":
      return new Set([400])
    case "cursor":
      return new Set([400, 401, 403, 404])
    case "body": {
      if (!/^application\/(merge-patch\+)?json/.test(mutation.type)) return new Set([415])
      if (mutation.body.startsWith("\ufeff")) return undefined
      try {
        const value: unknown = JSON.parse(mutation.body)
        const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
        return isObject ? undefined : new Set([400])
      } catch {
        return new Set([400])
      }
    }
    default:
      return undefined
  }
}

/** Whether only the input of an attempt is invalid, and the path is as in a valid one. */
const isInputInvalid = (attempt: Attempt): boolean => {
  const { mutation } = attempt
  if (mutation.kind === "mutated") return mutation.part !== "params"
  return (
    mutation.kind === "hostile" &&
    (mutation.way === "bytes" || mutation.way === "body") &&
    certain(attempt)?.has(400) === true
  )
}

/** Replaces one of the leaves of a value by a mark that is none of JSON's. */
const withRaw = (value: unknown, which: number, raw: string): string => {
  const mark = "~raw~"
  const count = (one: unknown): number =>
    typeof one === "object" && one !== null
      ? Object.values(one).reduce<number>((sum, inner) => sum + count(inner), 0)
      : 1
  let left = which % Math.max(1, count(value))
  const replace = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(replace)
    if (typeof one === "object" && one !== null) {
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, replace(inner)]))
    }
    return left-- === 0 ? mark : one
  }
  return JSON.stringify(replace(value)).replace(`"${mark}"`, () => raw)
}

const withField = (value: unknown, name: string, field: unknown): string => {
  const text = JSON.stringify(value)
  const more = `${JSON.stringify(name)}:${JSON.stringify(field)}`
  return text === "{}" ? `{${more}}` : `{${more},${text.slice(1)}`
}

/** The way to name what is another's, or the next best where there is nothing to be named like that. */
const possible = (way: Foreign["way"], subject: string | undefined, world: World): Foreign["way"] => {
  const isNothingDeleted = !world.deleted.some(([path]) => subject?.startsWith(path) === true)
  const wanted = way === "deleted" && isNothingDeleted ? "path of the other" : way
  return wanted === "path of the other" && isCapability(subject) ? "another kind" : wanted
}

/** The request of an attempt; undefined where there is nothing left that it could be about. */
export const prepare = (declared: Declared, attempt: Attempt, world: World): Prepared | undefined => {
  const { own, other } = world
  const { mutation } = attempt
  const subject = subjectOf(declared.path)
  const last = declared.params.at(-1)
  const foreign = mutation.kind === "foreign" ? possible(mutation.way, subject, world) : undefined

  const caller = attempt.caller === "stranger" ? world.stranger : own.people[attempt.caller]
  const players = new Set<string | undefined>(Object.values(own.people).map(({ id }) => id))
  const all = (pool: Pool): ReadonlyArray<Entry> => {
    const found = subject === undefined ? [{}] : (pool.entries.get(subject) ?? [])
    // Whoever plays must not be thrown out.
    const isDangerous =
      subject?.endsWith("organizationId/members/:userId") === true && declared.method !== "GET"
    if (isDangerous) return found.filter(({ userId }) => !players.has(userId))
    // Accounts are changed by those whose they are.
    if (declared.id === "updateUserById" && pool === own.pool) return [{ userId: caller.id }]
    if (declared.method !== "DELETE" || last === undefined) return found
    // What came last goes first, as ids tell, and the first stays: it is full of content.
    const order = found.toSorted((a, b) => ((a[last] ?? "") < (b[last] ?? "") ? -1 : 1))
    return order.length === 1 ? order : order.slice(1).slice(-3)
  }
  const restored = world.deleted.filter(([path]) => path === subject)
  let entry =
    declared.path.endsWith("/restore") && restored.length > 0
      ? restored.at(-1)![1]
      : nth(all(own.pool), attempt.which)
  let statuses = certain(attempt)
  if (foreign === "path of the other") {
    entry = nth(all(other.pool), attempt.which)
    statuses = new Set([400, 404, ...(open[declared.id] ?? [])])
  }
  if (foreign === "deleted") {
    const gone = world.deleted.filter(([path]) => subject?.startsWith(path) === true)
    const [path, deleted] = nth(gone, attempt.which) ?? []
    if (path === undefined) return undefined
    entry = { ...entry, ...deleted }
  }
  if (foreign === "end of the other" && last !== undefined) {
    const value = nth(all(other.pool), attempt.which)?.[last]
    // A name could be taken here as well, and then it would be here.
    if (value === undefined || value.includes(other.marker)) {
      return prepare(declared, { ...attempt, mutation: { kind: "foreign", way: "path of the other" } }, world)
    }
    entry = entry === undefined ? undefined : { ...entry, [last]: value }
    // What it would be in comes first: the caller may not change that, or it is in no state to be changed.
    statuses = new Set([400, 403, 404, 409])
  }
  if (foreign === "another kind" && last !== undefined && entry !== undefined) {
    const others = [...own.pool.entries.keys()].filter((path) => path !== subject)
    const path = nth(others, attempt.which)
    const found = path === undefined ? undefined : nth(own.pool.entries.get(path) ?? [], attempt.which)
    entry = { ...entry, [last]: found?.[parametersOf(path!).at(-1)!] ?? "nothing" }
  }
  if (entry === undefined) return undefined
  const there = entry

  const find = finder(foreign === "input of the other" ? other.pool : own.pool, there)
  const query = Object.fromEntries(
    Object.entries(resolved(attempt.query, find) as Attempt["query"]).map(([name, value]) =>
      foreign !== undefined && ["query", "search", "title"].includes(name)
        ? [name, other.marker]
        : [name, value]
    )
  )
  const wrong = mutation.kind === "mutated" && mutation.part !== "payload" ? mutation : undefined
  const valueOf = (name: string): string => {
    if (wrong?.part === "params" && wrong.name === name) return encoded(String(wrong.value))
    if (mutation.kind === "hostile" && mutation.way === "path" && name === last) return mutation.end
    const value = there[name] ?? ""
    return value === "." || value === ".." ? value.replaceAll(".", "%2e") : encoded(value)
  }
  const path = declared.path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name))
  const address = `${path}?${queryOf(query)}`

  const asksFor = (more: string) => `${address}${address.endsWith("?") ? "" : "&"}${more}`
  const wantsPage = Object.values(attempt.query).includes(cursorMark)
  const kept = world.cursors.get(address)
  const full = ((): string => {
    if (wrong?.part === "query") return `${path}?${queryOf({ ...query, [wrong.name]: wrong.value })}`
    if (mutation.kind === "hostile" && mutation.way === "query") return asksFor(mutation.query)
    if (mutation.kind === "hostile" && mutation.way === "cursor")
      return asksFor(`page=${encoded(mutation.cursor)}`)
    if (mutation.kind === "hostile" && mutation.way === "other cursor") {
      return asksFor(
        `page=${encoded((nth([...world.cursors.values()], mutation.which) ?? "") + mutation.change)}`
      )
    }
    return wantsPage && kept !== undefined ? asksFor(`page=${encoded(kept)}`) : address
  })()

  const mutated: MutatedInput | undefined =
    mutation.kind === "mutated" && mutation.part === "payload" ? mutation : undefined
  const payload =
    mutated === undefined ? resolved(attempt.payload, find) : resolved(mutated.input, find, false)
  const body = ((): string | Uint8Array | undefined => {
    if (declared.payload === undefined) return undefined
    if (mutation.kind !== "hostile") return JSON.stringify(payload)
    if (mutation.way === "body") return mutation.body
    if (mutation.way === "bytes") return new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    if (mutation.way === "fields") return withField(payload, mutation.name, mutation.value)
    if (mutation.way === "leaf") return withRaw(payload, mutation.which, mutation.raw)
    return JSON.stringify(payload)
  })()

  const headers: Record<string, string> = { authorization: `Bearer ${caller.token}` }
  if (body !== undefined) headers["content-type"] = "application/json"
  if (mutation.kind === "hostile" && mutation.way === "body") headers["content-type"] = mutation.type
  if (mutation.kind === "hostile" && mutation.way === "header") headers[mutation.name] = mutation.value
  if (mutation.kind === "hostile" && mutation.way === "token") headers.authorization = mutation.authorization

  return {
    request: { method: declared.method, path: full.replace(/[?]$/, ""), headers, body },
    entry: there,
    address,
    statuses,
    validRequest: isInputInvalid(attempt)
      ? prepare(declared, { ...attempt, mutation: { kind: "valid" } }, world)?.request
      : undefined,
    isElsewhere: mutation.kind === "hostile" && mutation.way === "path",
    named:
      wrong !== undefined
        ? (paths) => paths.some((path) => path === wrong.name || path.startsWith(`${wrong.name}.`))
        : mutated !== undefined
          ? (paths) => paths.some((named) => isMutationPath(mutated, named))
          : undefined
  }
}
