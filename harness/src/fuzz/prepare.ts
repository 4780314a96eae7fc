/** Prepares the request of an attempt in the current world, with the requirements on its response. */
import { isMutationPath, type MutatedInput } from "@lectern/testkit/arbitraries"
import { type ApiOperation, parametersOf } from "./ApiOperation.ts"
import type { Attempt, ForeignMutation } from "./Attempt.ts"
import type { HttpRequest } from "./client.ts"
import { type PathParams, type Pool, resourcePathOf } from "./Pool.ts"
import { cursorMark, pathByKind, resolveMarks } from "./References.ts"
import type { World } from "./World.ts"

/** A request, and the requirements on its response. */
export interface PreparedRequest {
  readonly request: HttpRequest
  /** The parameters of the path. */
  readonly pathParams: PathParams | undefined
  /** The URL without the cursor of a list. */
  readonly address: string
  /** The allowed statuses; undefined if every declared one is. */
  readonly expectedStatuses: ReadonlySet<number> | undefined
  /**
   * The same request with a valid input, if `expectedStatuses` depends on the input. Access to the resource of the path
   * is checked before the input, so a request with an invalid one may return the same 403 or 404 as this one.
   */
  readonly validRequest: HttpRequest | undefined
  /** Whether the path may match another operation, so that the response cannot be validated. */
  readonly mayMatchOtherRoute: boolean
  /**
   * Whether the paths in `details` of an error report the defect of the input; undefined if its path is not determined.
   */
  readonly reportsDefect: ((paths: ReadonlyArray<string>) => boolean) | undefined
}

/** Operations that may return other statuses than 404 for resources of the other organization, with the reason. */
const disclosedStatuses: Readonly<Record<string, ReadonlyArray<number>>> = {
  // Names of integrations are global, so publishing under a taken name must fail visibly.
  publishIntegration: [403],
  // The id of an invite authorizes its holder to view it.
  getOrganizationInviteLink: [200],
  // Callers outside the domain get an empty list, which does not disclose whether the domain is in use.
  getOrganizationsForEmailDomain: [200],
  // Events are only counted, also for sites that do not exist.
  trackEventsInSiteById: [204]
}

/** Whether a path is that of an invite, whose id authorizes its holder to join. */
const isInvitePath = (subject: string | undefined): boolean =>
  subject?.endsWith("/invites/:inviteId") === true

const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed())

const toQueryString = (query: Attempt["query"]): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one) => `${encodeText(name)}=${encodeText(one)}`)
    )
    .join("&")

const nthModulo = <A>(all: ReadonlyArray<A>, which: number): A | undefined =>
  all[which % Math.max(1, all.length)]

/**
 * Returns a function that resolves a mark: to a resource of its kind, preferably of the same site or space as the path.
 */
const makeFinder =
  (pool: Pool, near: PathParams) =>
  (kind: string, which: number): string | undefined => {
    const subject = pathByKind[kind]
    if (subject === undefined) return undefined
    const name = parametersOf(subject).at(-1)!
    const all = pool.entries.get(subject) ?? []
    const closeness = (entry: PathParams) =>
      Object.entries(entry).filter(([key, value]) => key !== name && near[key] === value).length
    const closest = Math.max(0, ...all.map(closeness))
    return nthModulo(
      all.filter((entry) => closeness(entry) === closest),
      which
    )?.[name]
  }

/** Returns the statuses that a mutation requires, independent of the resource; undefined if it requires none. */
const certainStatuses = ({ mutation }: Attempt): ReadonlySet<number> | undefined => {
  if (mutation.kind === "mutated") return new Set([400])
  if (mutation.kind !== "hostile") return undefined
  switch (mutation.variant) {
    case "token":
      return new Set([401])
    case "invalidUtf8":
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

/** Whether the input of an attempt is invalid and its path is valid. */
const isInputInvalid = (attempt: Attempt): boolean => {
  const { mutation } = attempt
  if (mutation.kind === "mutated") return mutation.part !== "params"
  return (
    mutation.kind === "hostile" &&
    (mutation.variant === "invalidUtf8" || mutation.variant === "body") &&
    certainStatuses(attempt)?.has(400) === true
  )
}

/** Serializes a value with one of its leaves replaced by raw text, which need not be JSON. */
const withRawJson = (value: unknown, which: number, raw: string): string => {
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

/** Serializes a value with an additional field, whose name may already exist. */
const withUnknownField = (value: unknown, name: string, field: unknown): string => {
  const text = JSON.stringify(value)
  const more = `${JSON.stringify(name)}:${JSON.stringify(field)}`
  return text === "{}" ? `{${more}}` : `{${more},${text.slice(1)}`
}

/** Returns the variant, or another one if it does not apply: nothing is deleted yet, or the id itself authorizes. */
const applicableVariant = (
  variant: ForeignMutation["variant"],
  subject: string | undefined,
  world: World
): ForeignMutation["variant"] => {
  const isNothingDeleted = !world.deleted.some(([path]) => subject?.startsWith(path) === true)
  const wanted = variant === "deleted" && isNothingDeleted ? "foreignPath" : variant
  return wanted === "foreignPath" && isInvitePath(subject) ? "otherKind" : wanted
}

/** Prepares the request of an attempt. Returns undefined if no suitable resource is left. */
export const prepareRequest = (
  operation: ApiOperation,
  attempt: Attempt,
  world: World
): PreparedRequest | undefined => {
  const { own, other } = world
  const { mutation } = attempt
  const subject = resourcePathOf(operation.path)
  const last = operation.paramNames.at(-1)
  const foreign =
    mutation.kind === "foreign" ? applicableVariant(mutation.variant, subject, world) : undefined

  const caller = attempt.caller === "stranger" ? world.stranger : own.people[attempt.caller]
  const ownUserIds = new Set<string | undefined>(Object.values(own.people).map(({ id }) => id))
  const candidatesIn = (pool: Pool): ReadonlyArray<PathParams> => {
    const found = subject === undefined ? [{}] : (pool.entries.get(subject) ?? [])
    // The users of the run must stay members.
    const removesMembers =
      subject?.endsWith("organizationId/members/:userId") === true && operation.method !== "GET"
    if (removesMembers) return found.filter(({ userId }) => !ownUserIds.has(userId))
    // Users can update their own account only.
    if (operation.id === "updateUserById" && pool === own.pool) return [{ userId: caller.id }]
    if (operation.method !== "DELETE" || last === undefined) return found
    // Delete the newest resources first, by id, and never the oldest, which has the most content.
    const order = found.toSorted((a, b) => ((a[last] ?? "") < (b[last] ?? "") ? -1 : 1))
    return order.length === 1 ? order : order.slice(1).slice(-3)
  }
  const restored = world.deleted.filter(([path]) => path === subject)
  let entry =
    operation.path.endsWith("/restore") && restored.length > 0
      ? restored.at(-1)![1]
      : nthModulo(candidatesIn(own.pool), attempt.which)
  let expectedStatuses = certainStatuses(attempt)
  if (foreign === "foreignPath") {
    entry = nthModulo(candidatesIn(other.pool), attempt.which)
    expectedStatuses = new Set([400, 404, ...(disclosedStatuses[operation.id] ?? [])])
  }
  if (foreign === "deleted") {
    const gone = world.deleted.filter(([path]) => subject?.startsWith(path) === true)
    const [path, deleted] = nthModulo(gone, attempt.which) ?? []
    if (path === undefined) return undefined
    entry = { ...entry, ...deleted }
  }
  if (foreign === "foreignTarget" && last !== undefined) {
    const value = nthModulo(candidatesIn(other.pool), attempt.which)?.[last]
    // A name, unlike an id, could exist in the own organization, too.
    if (value === undefined || value.includes(other.marker)) {
      return prepareRequest(
        operation,
        { ...attempt, mutation: { kind: "foreign", variant: "foreignPath" } },
        world
      )
    }
    entry = entry === undefined ? undefined : { ...entry, [last]: value }
    // The container is checked first: the caller may lack access to it, or its state may not allow the change.
    expectedStatuses = new Set([400, 403, 404, 409, ...(disclosedStatuses[operation.id] ?? [])])
  }
  if (foreign === "otherKind" && last !== undefined && entry !== undefined) {
    const others = [...own.pool.entries.keys()].filter((path) => path !== subject)
    const path = nthModulo(others, attempt.which)
    const found = path === undefined ? undefined : nthModulo(own.pool.entries.get(path) ?? [], attempt.which)
    entry = { ...entry, [last]: found?.[parametersOf(path!).at(-1)!] ?? "nothing" }
  }
  if (entry === undefined) return undefined
  const target = entry

  const find = makeFinder(foreign === "foreignInput" ? other.pool : own.pool, target)
  const query = Object.fromEntries(
    Object.entries(resolveMarks(attempt.query, find) as Attempt["query"]).map(([name, value]) =>
      foreign !== undefined && ["query", "search", "title"].includes(name)
        ? [name, other.marker]
        : [name, value]
    )
  )
  const wrong = mutation.kind === "mutated" && mutation.part !== "payload" ? mutation : undefined
  const valueOf = (name: string): string => {
    if (wrong?.part === "params" && wrong.name === name) return encodeText(String(wrong.value))
    if (mutation.kind === "hostile" && mutation.variant === "path" && name === last) return mutation.end
    const value = target[name] ?? ""
    return value === "." || value === ".." ? value.replaceAll(".", "%2e") : encodeText(value)
  }
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name))
  const address = `${path}?${toQueryString(query)}`

  const withQuery = (more: string) => `${address}${address.endsWith("?") ? "" : "&"}${more}`
  const needsCursor = Object.values(attempt.query).includes(cursorMark)
  const cursor = world.cursors.get(address)
  const requestPath = ((): string => {
    if (wrong?.part === "query") return `${path}?${toQueryString({ ...query, [wrong.name]: wrong.value })}`
    if (mutation.kind === "hostile" && mutation.variant === "query") return withQuery(mutation.query)
    if (mutation.kind === "hostile" && mutation.variant === "cursor")
      return withQuery(`page=${encodeText(mutation.cursor)}`)
    if (mutation.kind === "hostile" && mutation.variant === "otherCursor") {
      return withQuery(
        `page=${encodeText((nthModulo([...world.cursors.values()], mutation.which) ?? "") + mutation.change)}`
      )
    }
    return needsCursor && cursor !== undefined ? withQuery(`page=${encodeText(cursor)}`) : address
  })()

  const mutated: MutatedInput | undefined =
    mutation.kind === "mutated" && mutation.part === "payload" ? mutation : undefined
  const payload =
    mutated === undefined ? resolveMarks(attempt.payload, find) : resolveMarks(mutated.input, find, false)
  const body = ((): string | Uint8Array | undefined => {
    if (operation.payload === undefined) return undefined
    if (mutation.kind !== "hostile") return JSON.stringify(payload)
    if (mutation.variant === "body") return mutation.body
    if (mutation.variant === "invalidUtf8")
      return new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    if (mutation.variant === "unknownField") return withUnknownField(payload, mutation.name, mutation.value)
    if (mutation.variant === "jsonValue") return withRawJson(payload, mutation.which, mutation.raw)
    return JSON.stringify(payload)
  })()

  const headers: Record<string, string> = { authorization: `Bearer ${caller.token}` }
  if (body !== undefined) headers["content-type"] = "application/json"
  if (mutation.kind === "hostile" && mutation.variant === "body") headers["content-type"] = mutation.type
  if (mutation.kind === "hostile" && mutation.variant === "header") headers[mutation.name] = mutation.value
  if (mutation.kind === "hostile" && mutation.variant === "token")
    headers.authorization = mutation.authorization

  return {
    request: { method: operation.method, path: requestPath.replace(/[?]$/, ""), headers, body },
    pathParams: target,
    address,
    expectedStatuses,
    validRequest: isInputInvalid(attempt)
      ? prepareRequest(operation, { ...attempt, mutation: { kind: "valid" } }, world)?.request
      : undefined,
    mayMatchOtherRoute: mutation.kind === "hostile" && mutation.variant === "path",
    reportsDefect:
      wrong !== undefined
        ? (paths) => paths.some((path) => path === wrong.name || path.startsWith(`${wrong.name}.`))
        : mutated !== undefined
          ? (paths) => paths.some((named) => isMutationPath(mutated, named))
          : undefined
  }
}
