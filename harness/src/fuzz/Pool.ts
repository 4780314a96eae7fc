/** What there is in an organization, by the paths that name it: found by asking, as one of its administrators. */
import { parametersOf } from "./Declared.ts"

/** Something that is there: the parameters of its path, and of the paths that it was found by. */
export type Entry = Readonly<Record<string, string>>

/** All that is there, by path. */
export interface Pool {
  readonly entries: Map<string, ReadonlyArray<Entry>>
  /** The bodies of all that was asked for, by address. */
  readonly read: ReadonlyMap<string, string>
}

type Json = { readonly [key: string]: unknown }

interface Source {
  /** The addresses to ask, with the parameters of what was found before. */
  readonly from: ReadonlyArray<string>
  /** The values of the last parameter. */
  readonly values: (body: Json, found: Entry) => ReadonlyArray<unknown>
}

const list = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])
const items = (body: Json): ReadonlyArray<Json> => list(body.items)
const idOf = (value: unknown): unknown => (value as Json | undefined)?.id

const pagesIn = (pages: unknown): ReadonlyArray<Json> =>
  list(pages).flatMap((page) => [page, ...pagesIn(page.pages)])

/** What names an item of a list, by the parameter that it is for. */
const naming: Readonly<Record<string, (item: Json) => unknown>> = {
  specSlug: (item) => item.slug,
  integrationName: (item) => item.name,
  userId: (item) => idOf(item.user) ?? idOf(item.organization) ?? item.id,
  teamId: (item) => idOf(item.team) ?? item.id
}

const everything = "limit=1000"

/**
 * Where what is at the end of a path is found: in the list at the path before it, if there is one. What is found
 * otherwise is here; whoever adds an operation on something that no list has tells here where it is found.
 */
const elsewhere = (path: string): Source | undefined => {
  const parent = path.slice(0, path.lastIndexOf("/"))
  const above = parent.slice(0, parent.lastIndexOf("/"))
  if (path === "/v1/collections/:collectionId")
    return {
      from: [`/v1/orgs/:organizationId/collections?${everything}`],
      values: (body) => items(body).map(idOf)
    }
  if (path === "/v1/spaces/:spaceId")
    return {
      from: [`/v1/orgs/:organizationId/spaces?${everything}`],
      values: (body) => items(body).map(idOf)
    }
  if (path === "/v1/users/:userId")
    return { from: ["/v1/orgs/:organizationId/members"], values: (body) => items(body).map(idOf) }
  if (path === "/v1/email-domains/:emailDomain")
    return {
      from: ["/v1/orgs/:organizationId"],
      values: (body) => body.emailDomains as ReadonlyArray<string>
    }
  if (path === "/v1/integrations/:integrationName")
    return {
      from: [`/v1/integrations?owner=:organizationId&${everything}`],
      values: (body) => items(body).map(naming.integrationName!)
    }
  if (path.endsWith("/change-requests/:changeRequestId"))
    return {
      from: ["draft", "open", "archived", "merged"].map(
        (status) => `${parent}?status=${status}&${everything}`
      ),
      values: (body) => items(body).map(idOf)
    }
  if (path.endsWith("/invites/:inviteId"))
    return { from: ["/v1/orgs/:organizationId/link-invites"], values: (body) => items(body).map(idOf) }
  if (path.endsWith("/section-groups/:siteSectionGroupId/sections/:siteSectionId"))
    return {
      from: [`${above.slice(0, above.lastIndexOf("/"))}?${everything}`],
      values: (body, { siteSectionGroupId }) =>
        items(body)
          .filter(({ id }) => id === siteSectionGroupId)
          .flatMap(({ sections }) => list(sections).map(idOf))
    }
  if (path.endsWith("/revisions/:revisionId")) return { from: [above], values: (body) => [body.revision] }
  if (path.endsWith("/page/:pageId"))
    return { from: [`${above}/pages`], values: (body) => pagesIn(body.pages).map(idOf) }
  if (path.endsWith("/path/:pagePath"))
    return {
      from: [`${above}/pages`],
      values: (body) => pagesIn(body.pages).flatMap(({ path }) => path ?? [])
    }
  if (path.endsWith("/reusable-contents/:reusableContentId"))
    return { from: [above], values: (body) => list(body.reusableContents).map(idOf) }
  return undefined
}

const sourceOf = (path: string, reads: ReadonlySet<string>): Source => {
  const known = elsewhere(path)
  if (known !== undefined) return known
  const parent = path.slice(0, path.lastIndexOf("/"))
  if (!reads.has(parent)) throw new Error(`Tell in Pool.ts where the last parameter of ${path} is found.`)
  const name = naming[parametersOf(path).at(-1)!] ?? idOf
  return { from: [`${parent}?${everything}`], values: (body) => items(body).map(name) }
}

/** The path up to its last parameter, which names what it is about; undefined where it has none. */
export const subjectOf = (path: string): string | undefined => {
  const last = path.lastIndexOf(":")
  if (last < 0) return undefined
  const end = path.indexOf("/", last)
  return end < 0 ? path : path.slice(0, end)
}

/** The paths of what a path is within, itself the last: one for each parameter. */
const subjectsOf = (path: string): ReadonlyArray<string> => {
  const subject = subjectOf(path)
  if (subject === undefined) return []
  return [...subjectsOf(subject.slice(0, subject.lastIndexOf("/"))), subject]
}

const filled = (template: string, entry: Entry): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(entry[name] ?? ""))

const ownerOf = (from: string): string | undefined =>
  from.includes("=:organizationId") ? "/v1/orgs/:organizationId" : undefined

/**
 * Finds all that there is, by the paths of operations. `get` answers the body at an address, or undefined where there
 * is nothing; `reads` are the paths that can be read. Each address is asked once.
 */
export const crawl = async (
  paths: ReadonlyArray<string>,
  reads: ReadonlySet<string>,
  get: (address: string) => Promise<string | undefined>
): Promise<Pool> => {
  const entries = new Map<string, ReadonlyArray<Entry>>()
  const read = new Map<string, string>()
  const ask = async (address: string): Promise<Json> => {
    if (!read.has(address)) read.set(address, (await get(address)) ?? "{}")
    return JSON.parse(read.get(address)!) as Json
  }
  const find = async (subject: string): Promise<ReadonlyArray<Entry>> => {
    const known = entries.get(subject)
    if (known !== undefined) return known
    const source = sourceOf(subject, reads)
    const name = parametersOf(subject).at(-1)!
    const found: Array<Entry> = []
    for (const from of source.from) {
      const above = subjectsOf(subject).at(-2) ?? subjectOf(from.replace(/[?].*/, "")) ?? ownerOf(from)
      const bases = above === undefined ? [{}] : await find(above)
      for (const base of bases) {
        const body = await ask(filled(from, base))
        for (const value of source.values(body, base)) {
          if (typeof value === "string") found.push({ ...base, [name]: value })
        }
      }
    }
    entries.set(subject, found)
    return found
  }
  for (const path of paths) {
    const subject = subjectOf(path)
    if (subject === undefined) continue
    for (const entry of await find(subject)) if (reads.has(path)) await ask(filled(path, entry))
  }
  return { entries, read }
}

/** Takes what is at a path, and all within it, out of a pool. */
export const forget = (pool: Pool, subject: string, gone: Entry): void => {
  const names = parametersOf(subject)
  for (const [path, all] of pool.entries) {
    if (!names.every((name) => parametersOf(path).includes(name))) continue
    pool.entries.set(
      path,
      all.filter((entry) => !names.every((name) => entry[name] === gone[name]))
    )
  }
}

/** Puts what was made by an operation on a list into a pool. */
export const remember = (pool: Pool, path: string, within: Entry, made: Json): void => {
  const subject =
    made.object === "space" || made.object === "collection"
      ? `/v1/${made.object}s/:${made.object}Id`
      : [...pool.entries.keys()].find(
          (one) => one.startsWith(`${path}/:`) && one.lastIndexOf("/") === path.length
        )
  if (subject === undefined) return
  const name = parametersOf(subject).at(-1)!
  const value = (naming[name] ?? idOf)(made)
  const known = pool.entries.get(subject) ?? []
  if (typeof value === "string" && !known.some((entry) => entry[name] === value)) {
    pool.entries.set(subject, [...known, { ...within, [name]: value }])
  }
}
