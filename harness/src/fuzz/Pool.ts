/** The resources of an organization by path, found by crawling the API as an administrator. */
import { parametersOf } from "./ApiOperation.ts"

/** The path parameters of a resource, including the parameters of the resources that contain it. */
export type PathParams = Readonly<Record<string, string>>

/** The resources that are known. */
export interface Pool {
  /** The path parameters of the resources at each path. */
  readonly entries: Map<string, ReadonlyArray<PathParams>>
  /** The bodies of the responses, by URL. */
  readonly bodies: ReadonlyMap<string, string>
}

type Json = { readonly [key: string]: unknown }

/** Where the values of the last parameter of a path are found. */
interface Source {
  /** The templates of the URLs to read. */
  readonly from: ReadonlyArray<string>
  /** Extracts the values from a body; `found` are the parameters of its URL. */
  readonly values: (body: Json, found: PathParams) => ReadonlyArray<unknown>
}

const list = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])
const items = (body: Json): ReadonlyArray<Json> => list(body.items)
const idOf = (value: unknown): unknown => (value as Json | undefined)?.id

const pagesIn = (pages: unknown): ReadonlyArray<Json> =>
  list(pages).flatMap((page) => [page, ...pagesIn(page.pages)])

/** Extracts the identifier of a list item, for parameters whose items are not identified by `id`. */
const identifiersByParam: Readonly<Record<string, (item: Json) => unknown>> = {
  specSlug: (item) => item.slug,
  integrationName: (item) => item.name,
  // The user of an invitation is an id.
  userId: ({ user, organization, id }) =>
    typeof user === "string" ? user : (idOf(user) ?? idOf(organization) ?? id),
  teamId: (item) => idOf(item.team) ?? item.id
}

const maxLimit = "limit=1000"

/**
 * Returns the source of the last parameter of a path, if it is not the list at the parent path. Add a case here for an
 * operation on a resource that no list contains.
 */
const specialSourceOf = (path: string): Source | undefined => {
  const parent = path.slice(0, path.lastIndexOf("/"))
  const above = parent.slice(0, parent.lastIndexOf("/"))
  // The contract has import runs under this path.
  if (path === "/v1/org/:organizationId")
    return { from: [`/v1/orgs?${maxLimit}`], values: (body) => items(body).map(idOf) }
  // Import runs are not listed, so their ids are not known.
  if (path.endsWith("/imports/:importRunId")) return { from: [above], values: () => [] }
  if (path === "/v1/collections/:collectionId")
    return {
      from: [`/v1/orgs/:organizationId/collections?${maxLimit}`],
      values: (body) => items(body).map(idOf)
    }
  if (path === "/v1/spaces/:spaceId")
    return {
      from: [`/v1/orgs/:organizationId/spaces?${maxLimit}`],
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
      from: [`/v1/integrations?owner=:organizationId&${maxLimit}`],
      values: (body) => items(body).map(identifiersByParam.integrationName!)
    }
  if (path.endsWith("/change-requests/:changeRequestId"))
    return {
      from: ["draft", "open", "archived", "merged"].map((status) => `${parent}?status=${status}&${maxLimit}`),
      values: (body) => items(body).map(idOf)
    }
  // The tokens that send the requests are not limited to an organization, and must not be revoked.
  if (path === "/v1/user/tokens/:tokenId")
    return {
      from: [`${parent}?${maxLimit}`],
      values: (body) => items(body).flatMap((token) => (token.organization === undefined ? [] : idOf(token)))
    }
  if (path === "/v1/orgs/:organizationId/tokens/:tokenId")
    return {
      from: [`${parent}?${maxLimit}`],
      values: (body) => items(body).flatMap((token) => (token.unlimited === true ? [] : idOf(token)))
    }
  if (path.endsWith("/installations/:installationId/spaces/:spaceId"))
    return { from: [`${parent}?${maxLimit}`], values: (body) => items(body).map(({ space }) => space) }
  if (path.endsWith("/installations/:installationId/sites/:siteId"))
    return { from: [`${parent}?${maxLimit}`], values: (body) => items(body).map(({ site }) => site) }
  if (path.endsWith("/invites/:inviteId"))
    return { from: ["/v1/orgs/:organizationId/link-invites"], values: (body) => items(body).map(idOf) }
  if (path.endsWith("/section-groups/:siteSectionGroupId/sections/:siteSectionId"))
    return {
      from: [`${above.slice(0, above.lastIndexOf("/"))}?${maxLimit}`],
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
  if (path.endsWith("/documents/:documentId"))
    return {
      from: [`${above}/content/pages`],
      values: (body) => pagesIn(body.pages).flatMap(({ documentId }) => documentId ?? [])
    }
  if (path.endsWith("/reusable-contents/:reusableContentId"))
    return { from: [above], values: (body) => list(body.reusableContents).map(idOf) }
  return undefined
}

const sourceOf = (path: string, reads: ReadonlySet<string>): Source => {
  const known = specialSourceOf(path)
  if (known !== undefined) return known
  const parent = path.slice(0, path.lastIndexOf("/"))
  if (!reads.has(parent))
    throw new Error(
      `The values of the last parameter of ${path} cannot be found: ${parent} is not a readable list. Add a case to specialSourceOf in Pool.ts.`
    )
  const name = identifiersByParam[parametersOf(path).at(-1)!] ?? idOf
  return { from: [`${parent}?${maxLimit}`], values: (body) => items(body).map(name) }
}

/**
 * Returns the path of the resource that an operation is about: up to the last parameter. Undefined if the path has no
 * parameter.
 */
export const resourcePathOf = (path: string): string | undefined => {
  const last = path.lastIndexOf(":")
  if (last < 0) return undefined
  const end = path.indexOf("/", last)
  return end < 0 ? path : path.slice(0, end)
}

/** Returns the paths of the resources that contain the resource of a path, outermost first, and its own. */
const resourcePathsOf = (path: string): ReadonlyArray<string> => {
  const subject = resourcePathOf(path)
  if (subject === undefined) return []
  return [...resourcePathsOf(subject.slice(0, subject.lastIndexOf("/"))), subject]
}

const fillPath = (template: string, entry: PathParams): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(entry[name] ?? ""))

const ownerOf = (from: string): string | undefined =>
  from.includes("=:organizationId") ? "/v1/orgs/:organizationId" : undefined

/**
 * Finds the resources at the paths of operations. `get` returns the body at a URL, or undefined for 404; `reads` are
 * the paths that can be read. Each URL is read once.
 */
export const crawl = async (
  paths: ReadonlyArray<string>,
  reads: ReadonlySet<string>,
  get: (address: string) => Promise<string | undefined>
): Promise<Pool> => {
  const entries = new Map<string, ReadonlyArray<PathParams>>()
  const bodies = new Map<string, string>()
  const fetchBody = async (address: string): Promise<Json> => {
    if (!bodies.has(address)) bodies.set(address, (await get(address)) ?? "{}")
    return JSON.parse(bodies.get(address)!) as Json
  }
  const find = async (subject: string): Promise<ReadonlyArray<PathParams>> => {
    const known = entries.get(subject)
    if (known !== undefined) return known
    const source = sourceOf(subject, reads)
    const name = parametersOf(subject).at(-1)!
    const found: Array<PathParams> = []
    for (const from of source.from) {
      const above =
        resourcePathsOf(subject).at(-2) ?? resourcePathOf(from.replace(/[?].*/, "")) ?? ownerOf(from)
      const bases = above === undefined ? [{}] : await find(above)
      for (const base of bases) {
        const body = await fetchBody(fillPath(from, base))
        for (const value of source.values(body, base)) {
          if (typeof value === "string") found.push({ ...base, [name]: value })
        }
      }
    }
    entries.set(subject, found)
    return found
  }
  for (const path of paths) {
    const subject = resourcePathOf(path)
    if (subject === undefined) continue
    for (const entry of await find(subject)) if (reads.has(path)) await fetchBody(fillPath(path, entry))
  }
  return { entries, bodies }
}

/** Removes a resource, and all resources that it contains, from a pool. */
export const removeEntry = (pool: Pool, subject: string, gone: PathParams): void => {
  const names = parametersOf(subject)
  for (const [path, all] of pool.entries) {
    if (!names.every((name) => parametersOf(path).includes(name))) continue
    pool.entries.set(
      path,
      all.filter((entry) => !names.every((name) => entry[name] === gone[name]))
    )
  }
}

/** Adds a resource that an operation at `path` created to a pool. */
export const addEntry = (pool: Pool, path: string, within: PathParams, made: Json): void => {
  const subject =
    made.object === "space" || made.object === "collection"
      ? `/v1/${made.object}s/:${made.object}Id`
      : [...pool.entries.keys()].find(
          (one) => one.startsWith(`${path}/:`) && one.lastIndexOf("/") === path.length
        )
  if (subject === undefined) return
  const name = parametersOf(subject).at(-1)!
  const value = (identifiersByParam[name] ?? idOf)(made)
  const known = pool.entries.get(subject) ?? []
  if (typeof value === "string" && !known.some((entry) => entry[name] === value)) {
    pool.entries.set(subject, [...known, { ...within, [name]: value }])
  }
}
