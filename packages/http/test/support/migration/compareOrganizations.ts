/**
 * Compares an organization with its copy through the API: by every operation that lists or returns a resource, and by every field of
 * its response. What differs by nature is named here, with the reason, so that a new operation or field is compared by default.
 */
import { createHash } from "node:crypto"

/** One of the two servers. */
export interface Side {
  readonly url: string
  readonly organization: string
  readonly fetch: (path: string) => Promise<Response>
}

/** The operations that are not compared, by the end of their path, with the reason. */
const excluded: ReadonlyArray<readonly [path: RegExp, reason: string]> = [
  [
    /^\/(user|users|email-domains|urls|subdomains|custom-hostnames|integrations|org)\b/,
    "not a part of an organization"
  ],
  [/^\/orgs$/, "the organizations of the caller"],
  [/\/fonts\b/, "fonts are not copied"],
  [/^\/orgs\/\{organizationId\}$/, "the settings of the target are not changed"],
  [
    /\/(events|webhooks|audit-logs|audit-events|audit|tokens|notifications|usage|insights)\b/,
    "the history and the accounting of a server"
  ],
  [/\/(saml|oidc|sso|link-invites|invitations|scim|passkeys|provisioning)\b/, "the sign-in of a server"],
  [
    /\/(integrations?|installations?|installation_status|installations-status|integration-blocks|integration-scripts|script-templates)\b/,
    "installations of integrations"
  ],
  [/\/(git|imports|exports?|pdf|content\/export|embed)\b/, "runs and connections of a server"],
  [
    /\/(comments|commenters|reviews|requested-reviewers|contributors|history|presence)\b/,
    "the history of people"
  ],
  [
    /\/(search|ask|favorites|recents|places|merge|trash|edits|conflicts)\b/,
    "results of queries of the caller"
  ],
  [
    /\/archived-pages$|\/revisions$|\/revisions\/\{revisionId\}\/changes|^\/orgs\/\{organizationId\}\/changes/,
    "the history of content"
  ],
  [/\/published$|\/publishing\/preview|\/redirect$|template-conditions/, "queries of visitors"],
  [/\/publishing\/auth$/, "the key of visitors is another; its other field is compared by a test of its own"]
]

/** The fields that differ by nature. */
const ignoredFields: Readonly<Record<string, string>> = {
  createdAt: "the time of the copy",
  updatedAt: "the time of the copy",
  joinedAt: "the time of the invitation",
  lastSeenAt: "the time of the last visit",
  lastProcessedAt: "the time of the processing",
  processingState: "the state of background work",
  lastVersion: "versions of specs are processed again",
  revision: "revisions are not copied",
  revisionInitial: "revisions are not copied",
  revisionMergedAncestor: "revisions are not copied",
  outdated: "a copy is based on the current content",
  parents: "revisions are not copied",
  documentId: "a digest of the body, which contains ids",
  computedSeed: "a digest of the spec",
  number: "merged change requests are not copied",
  changeRequests: "merged change requests are not copied",
  createdBy: "the copy is created by its administrator",
  sortKey: "the order of lists is compared",
  orderIndex: "the order of lists is compared",
  mergedFrom: "merged change requests are not copied",
  type: "the kind of a revision"
}

/** The fields of `ignoredFields` that are ignored in some objects only. */
const ignoredOnlyIn = (name: string, object: Readonly<Record<string, unknown>>): boolean => {
  if (name === "type" || name === "parents") return object.object === "revision"
  if (name === "orderIndex") return false
  return true
}

interface Operation {
  readonly path: string
  readonly operationId: string
  /** Whether the operation returns a list. */
  readonly isList: boolean
}

interface DeclaredOperation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >
}

type Parameters = Readonly<Record<string, string>>

const parametersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** The operations of the server that read something. */
export const readingOperations = async ({ url }: Pick<Side, "url">): Promise<ReadonlyArray<Operation>> => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, DeclaredOperation>>
    readonly components: { readonly schemas: Record<string, unknown> }
  }
  const isListSchema = (schema: unknown): boolean => {
    if (!isObject(schema)) return false
    if (typeof schema.$ref === "string")
      return isListSchema(document.components.schemas[schema.$ref.split("/").at(-1)!])
    return isObject(schema.properties) && "items" in schema.properties
  }
  return Object.entries(document.paths).flatMap(([path, { get: operation }]) =>
    operation === undefined
      ? []
      : [
          {
            path: path.replace(/^\/v1/, ""),
            operationId: operation.operationId,
            isList: isListSchema(operation.responses["200"]?.content?.["application/json"]?.schema)
          }
        ]
  )
}

/** The operations of the server that read something, without the excluded operations. */
export const comparedOperations = async (side: Pick<Side, "url">): Promise<ReadonlyArray<Operation>> =>
  (await readingOperations(side)).filter(({ path }) => !excluded.some(([pattern]) => pattern.test(path)))

const get = async (side: Side, path: string): Promise<unknown> => {
  const response = await side.fetch(`/v1${path}`)
  if (response.status === 404) return "404"
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** All items of a list. */
const list = async (side: Side, path: string): Promise<ReadonlyArray<Item>> => {
  const items: Array<Item> = []
  let page: string | undefined
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=100${page === undefined ? "" : `&page=${page}`}`
    const response = (await get(side, `${path}${query}`)) as {
      items: ReadonlyArray<Item>
      next?: { page: string }
    }
    if (response.items === undefined) throw new Error(`${path} is not a list.`)
    items.push(...response.items)
    page = response.next?.page
  } while (page !== undefined)
  return items
}

interface Page {
  readonly id: string
  readonly path?: string
  readonly documentId?: string
  readonly pages?: ReadonlyArray<Page>
}

const flatten = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [page, ...flatten(page.pages ?? [])])

/** The values of the parameters of content at a path. */
const contentValues = async (side: Side, path: string) => {
  const revision = (await get(side, path)) as {
    readonly pages: ReadonlyArray<Page>
    readonly files: ReadonlyArray<Item>
    readonly reusableContents: ReadonlyArray<Item & { readonly document?: string }>
  }
  const pages = flatten(revision.pages)
  return {
    pageId: pages.map(({ id }) => id),
    pagePath: pages.flatMap(({ path: at }) => (at === undefined ? [] : [encodeURIComponent(at)])),
    fileId: revision.files.map(({ id }) => id),
    reusableContentId: revision.reusableContents.map(({ id }) => id)
  }
}

/** Returns the values of parameters, which depend on those before them. */
const makeValues = (side: Side, hasContent: boolean) => {
  const cache = new Map<string, Promise<ReadonlyArray<string>>>()
  const idsOf = async (path: string, field = "id") =>
    (await list(side, path)).map((item) => String(item[field]))
  const read = async (name: string, given: Parameters): Promise<ReadonlyArray<string>> => {
    const organization = `/orgs/${side.organization}`
    const site = `${organization}/sites/${given.siteId}`
    const space = `/spaces/${given.spaceId}`
    const content =
      given.changeRequestId === undefined
        ? `${space}/content`
        : `${space}/change-requests/${given.changeRequestId}/content`
    switch (name) {
      case "organizationId":
        return [side.organization]
      case "userId":
        return idsOf(`${organization}/members`)
      case "teamId":
        return idsOf(`${organization}/teams`)
      case "collectionId":
        return idsOf(`${organization}/collections`)
      case "spaceId":
        return idsOf(`${organization}/spaces`)
      case "siteId":
        return idsOf(`${organization}/sites`)
      case "specSlug":
        return idsOf(`${organization}/openapi`, "slug")
      case "translationId":
      case "translationSettingsId":
        return idsOf(`${organization}/translations`)
      case "glossaryEntryId":
        return idsOf(`${organization}/translations-glossary`)
      case "siteSpaceId":
        return idsOf(`${site}/site-spaces`)
      case "siteMcpServerId":
        return idsOf(`${site}/mcp-servers`)
      case "siteScriptId":
        return idsOf(`${site}/scripts`)
      case "versionId":
        return ["latest"]
      case "revisionId":
        return [String(((await get(side, space)) as Item).revision)]
      case "changeRequestId":
        return (
          [
            ...(await list(side, `${space}/change-requests?status=open`)),
            ...(await list(side, `${space}/change-requests?status=draft`))
          ]
            // The content of an outdated one is that of its base. Its changes are compared.
            .filter(({ outdated }) => outdated !== true || !hasContent)
            .map(({ id }) => id)
        )
      case "documentId":
        return []
      case "pageId":
      case "pagePath":
      case "fileId":
      case "reusableContentId":
        return (await contentValues(side, content))[name]
      default:
        throw new Error(
          `The parameter ${name} has no values: add them, or exclude the operation with a reason.`
        )
    }
  }
  return (name: string, given: Parameters): Promise<ReadonlyArray<string>> => {
    const key = JSON.stringify([name, given])
    const values = cache.get(key) ?? read(name, given)
    cache.set(key, values)
    return values
  }
}

/** All requests of an operation, with their path. */
const requestsOf = async (
  { path }: Operation,
  valuesOf: ReturnType<typeof makeValues>
): Promise<ReadonlyArray<string>> => {
  let all: ReadonlyArray<Parameters> = [{}]
  for (const name of parametersOf(path)) {
    all = (
      await Promise.all(
        all.map(async (given) => (await valuesOf(name, given)).map((value) => ({ ...given, [name]: value })))
      )
    ).flat()
  }
  return all.map((given) => path.replace(/\{(\w+)\}/g, (_, name: string) => given[name]!))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Sorts spaces and collections by their titles: lists have the order of creation. `placesOf` compares their order. */
const inPlace = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const keyOf = (item: unknown): string => {
    const space = isObject(item) && isObject(item.space) ? item.space : item
    return isObject(space) && typeof space.sortKey === "string" ? String(space.title) : ""
  }
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0))
}

/** The titles of collections and spaces by the title of their parent, in the order of their places. */
export const placesOf = async (side: Side): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const path = `/orgs/${side.organization}`
  const all = [...(await list(side, `${path}/collections`)), ...(await list(side, `${path}/spaces`))]
  const titles = new Map(all.map(({ id, title }) => [id, String(title)]))
  const sorted = all.toSorted((one, other) => (String(one.sortKey) < String(other.sortKey) ? -1 : 1))
  const places: Record<string, Array<string>> = {}
  for (const { parent, title } of sorted) {
    const key = titles.get(String(parent)) ?? "root"
    places[key] = [...(places[key] ?? []), String(title)]
  }
  return places
}

/** Learns which id of the copy an id has, from values at the same places. */
const learn = (source: unknown, copy: unknown, ids: Map<string, string>): void => {
  if (Array.isArray(source) && Array.isArray(copy)) {
    const [one, other] = [inPlace(source), inPlace(copy)]
    for (const [index, item] of one.entries()) learn(item, other[index], ids)
    return
  }
  if (!isObject(source) || !isObject(copy)) return
  if (typeof source.id === "string" && typeof copy.id === "string" && !ids.has(source.id))
    ids.set(source.id, copy.id)
  for (const [name, value] of Object.entries(source)) learn(value, copy[name], ids)
}

/** The public URL of servers in tests, which do not listen there. */
export const publicUrl = "http://127.0.0.1:4400"

/** Sorts the fields of objects. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, field]) => [name, sorted(field)])
        )
      : value

const hostOf = /https?:\/\/127\.0\.0\.1:\d+/g

/** Replaces ids and the URL of the server, removes what differs by nature, and reads the bytes of files. */
const normalize = async (side: Side, value: unknown, ids: ReadonlyMap<string, string>): Promise<unknown> => {
  if (typeof value === "string") {
    return value
      .replace(/[A-Za-z0-9_-]{8,}/g, (token) => ids.get(token) ?? token)
      .replace(hostOf, "")
      .replace(/\/~\/changes\/\d+/, "/~/changes/number")
  }
  if (Array.isArray(value)) return Promise.all(inPlace(value).map((item) => normalize(side, item, ids)))
  if (!isObject(value)) return value
  const entries: Array<readonly [string, unknown]> = []
  for (const [name, field] of Object.entries(value)) {
    if (ignoredFields[name] !== undefined && ignoredOnlyIn(name, value)) continue
    // Digests of bodies, which contain ids.
    const isDigest = typeof field === "string" || (isObject(field) && ("before" in field || "after" in field))
    if (name === "document" && isDigest) continue
    // The URL of a share link contains its key.
    if (name === "urls" && value.object === "share-link") continue
    if (name === "downloadURL") {
      const response = await fetch(String(field).replace(publicUrl, side.url))
      entries.push([
        "bytes",
        createHash("sha256")
          .update(Buffer.from(await response.arrayBuffer()))
          .digest("hex")
      ])
    } else if (typeof field === "string" && /[?&](signature|expires|token)=/.test(field)) {
      entries.push([name, "signed"])
    } else {
      entries.push([(await normalize(side, name, ids)) as string, await normalize(side, field, ids)])
    }
  }
  return Object.fromEntries(entries)
}

/** A response of the source, and that of the copy. */
export interface Comparison {
  readonly request: string
  readonly source: unknown
  readonly copy: unknown
}

/**
 * Reads everything of both organizations. Returns the responses that differ, and the number of compared responses. `known` are
 * the ids of the report.
 */
export const compareOrganizations = async (source: Side, copy: Side, known: ReadonlyMap<string, string>) => {
  const ids = new Map([...known, [source.organization, copy.organization]])
  const withContent = makeValues(source, true)
  const withoutContent = makeValues(source, false)
  const operations = await comparedOperations(source)
  const pairs: Array<{ readonly request: string; readonly from: unknown; readonly to: unknown }> = []
  const translate = (path: string) => path.replace(/[A-Za-z0-9_-]{8,}/g, (token) => ids.get(token) ?? token)
  // Lists first: they have the ids that other paths contain.
  for (const operation of [...operations].sort(
    (one, other) => parametersOf(one.path).length - parametersOf(other.path).length
  )) {
    for (const path of await requestsOf(
      operation,
      /\/(content|links)\b/.test(operation.path) ? withContent : withoutContent
    )) {
      const isList = /\{\w+\}$/.test(operation.path) === false
      const from = await get(source, path)
      const whole = isObject(from) && Array.isArray(from.items) && isList
      const a = whole ? await list(source, path) : from
      const b = whole ? await list(copy, translate(path)).catch(String) : await get(copy, translate(path))
      learn(a, b, ids)
      pairs.push({ request: `${operation.operationId} ${path}`, from: a, to: b })
    }
  }
  const none = new Map<string, string>()
  const differences: Array<Comparison> = []
  for (const { request, from, to } of pairs) {
    const one = sorted(await normalize(source, from, ids))
    const other = sorted(await normalize(copy, to, none))
    if (JSON.stringify(one) !== JSON.stringify(other)) differences.push({ request, source: one, copy: other })
  }
  const empty = operations.flatMap(({ operationId, isList }) =>
    isList &&
    pairs.every(({ request, from }) => request.split(" ")[0] !== operationId || (from as []).length === 0)
      ? [operationId]
      : []
  )
  return {
    differences,
    compared: pairs.length,
    /** The operations whose lists were all empty at the source, so that the comparison shows nothing. */
    empty,
    operations: new Set(pairs.map(({ request }) => request.split(" ")[0]))
  }
}
