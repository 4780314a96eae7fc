/** Types of writes and writers, and the functions that all kinds of writes share. */
import { addressOf, type OperationId, operations, type Scene } from "@lectern/harness/operations"

/** An expected result of a GET request: the value of a field, or the status of the response. */
export interface Fact {
  readonly path: string
  /**
   * The name of a field, or names with dots between them. With `?`, whether the field exists; `status` with a number is
   * that of the response, `listed` whether the list has the item.
   */
  readonly field: string
  readonly value: unknown
  /** For a path that returns a list: the item that has the field, by the field of its id. */
  readonly item?: { readonly key: string; readonly id: string }
}

/** A request that writes. */
export interface Write {
  readonly method: string
  /** Without `/v1`. */
  readonly path: string
  readonly body?: unknown
  /** The token of the caller, if it is not that of the client. */
  readonly token?: string
  /** Prefixes of the subjects of facts that are uncertain as soon as the write is sent. */
  readonly makesUncertain?: ReadonlyArray<string>
  /** The facts that hold once the write is acknowledged, if they do not depend on the response. */
  readonly facts?: ReadonlyArray<Fact>
  /** Records the created resource in the writer, and returns the facts that its response implies. */
  readonly done?: (body: never) => ReadonlyArray<Fact> | undefined
}

/** The body of a response that contains a resource. */
export interface Created {
  readonly id: string
}
/** The body of the response to a change of content. */
export interface Revised {
  readonly revision: string
  readonly changes?: ReadonlyArray<{ readonly page?: Created }>
}
/** A page of a space. */
export interface Page {
  readonly space: string
  readonly id: string
  /** The revision that inserted the page. Absent if a merge did. */
  readonly revision?: string
}
/** A change request, with the Markdown of the pages that it changes. */
export interface Proposal {
  readonly space: string
  readonly path: string
  readonly pages: Map<string, string>
}

/** A site-space or a section of a site; a section can be in a group. */
export interface SitePart {
  readonly site: string
  readonly id: string
  group?: string
}
/** A share link or a section group of a site. */
export type SiteOwned = Omit<SitePart, "group">
/** A role that was granted on a space or a collection, at its path, to a user or a team. */
export interface Grant {
  readonly content: string
  readonly to: "users" | "teams"
  readonly id: string
}
/** A user with a token of their own, whom no other writer uses. */
export interface Newcomer {
  readonly id: string
  readonly token: string
}

/** Generates an integer from 0 to below a bound. */
export type Draw = (below: number) => number

/** A source of writes, with the resources that it has created. */
export interface Writer {
  readonly organization: string
  /** The unique prefix of the names of its resources. */
  readonly name: string
  /** A website that serves Markdown under any path, to import from. */
  readonly source: string
  /** Another organization, which no other writer uses. Its administrator is the client. */
  readonly elsewhere: string | undefined
  readonly draw: Draw
  /** The number of names that it has generated. */
  nameCount: number
  /** The number of writes that call each operation. */
  readonly generated: Map<OperationId, number>
  readonly collections: Array<string>
  readonly spaces: Array<string>
  /** Spaces in the trash. */
  readonly deleted: Array<string>
  readonly pages: Array<Page>
  /** Pages that were deleted. */
  readonly archivedPages: Array<Page>
  readonly proposals: Array<Proposal>
  /** The paths of comments. */
  readonly comments: Array<string>
  /** The paths of replies. */
  readonly replies: Array<string>
  readonly sites: Array<string>
  readonly siteSpaces: Array<SitePart>
  readonly sections: Array<SitePart>
  readonly sectionGroups: Array<SiteOwned>
  readonly externalLinks: Array<SiteOwned>
  readonly shareLinks: Array<SiteOwned>
  readonly redirects: Array<SiteOwned>
  readonly mcpServers: Array<SiteOwned>
  readonly siteScripts: Array<SiteOwned>
  /** The host names of sites. */
  readonly hostnames: Array<SiteOwned>
  readonly users: Array<string>
  /** Users who are not in the organization yet. */
  readonly newcomers: Array<Newcomer>
  /** Newcomers who have joined. */
  readonly joined: Array<Newcomer>
  readonly invites: Array<string>
  readonly teams: Array<string>
  readonly teamMembers: Array<{ readonly team: string; readonly user: string }>
  readonly samlProviders: Array<string>
  readonly oidcProviders: Array<string>
  readonly grants: Array<Grant>
  readonly specs: Array<string>
  readonly translations: Array<string>
  readonly integrations: Array<string>
  readonly installations: Array<{ readonly integration: string; readonly id: string }>
  /** Installations on spaces and sites, with their paths. */
  readonly contentInstallations: Array<{
    readonly kind: "space" | "site"
    readonly content: string
    readonly path: string
  }>
  readonly importRuns: Array<string>
  /** The paths of webhooks. */
  readonly webhooks: Array<string>
  /** The paths of deliveries. */
  readonly deliveries: Array<string>
  /** The ids of API tokens. */
  readonly tokens: Array<string>
  /** Users who can review change requests. */
  readonly reviewers: ReadonlyArray<string>
  /** The paths of requested reviewers, and of their change requests. */
  readonly reviewRequests: Array<{ readonly list: string; readonly user: string }>
}

/** Resources that exist before a writer starts, besides its organization. */
export interface WriterOptions {
  readonly source?: string
  readonly elsewhere?: string
  readonly newcomers?: ReadonlyArray<Newcomer>
  readonly deliveries?: ReadonlyArray<string>
  readonly reviewers?: ReadonlyArray<string>
}

/** Creates a writer without resources. Names begin with `name`, which no other writer may have. */
export const makeWriter = (
  organization: string,
  name: string,
  draw: Draw,
  {
    source = "https://example.com",
    elsewhere,
    newcomers = [],
    deliveries = [],
    reviewers = []
  }: WriterOptions = {}
): Writer => ({
  organization,
  name,
  draw,
  source,
  elsewhere,
  nameCount: 0,
  generated: new Map(),
  collections: [],
  spaces: [],
  deleted: [],
  pages: [],
  archivedPages: [],
  proposals: [],
  comments: [],
  replies: [],
  sites: [],
  siteSpaces: [],
  sections: [],
  sectionGroups: [],
  externalLinks: [],
  shareLinks: [],
  redirects: [],
  mcpServers: [],
  siteScripts: [],
  hostnames: [],
  users: [],
  newcomers: [...newcomers],
  joined: [],
  invites: [],
  teams: [],
  teamMembers: [],
  samlProviders: [],
  oidcProviders: [],
  grants: [],
  specs: [],
  translations: [],
  integrations: [],
  installations: [],
  contentInstallations: [],
  importRuns: [],
  webhooks: [],
  deliveries: [...deliveries],
  tokens: [],
  reviewers,
  reviewRequests: []
})

/** Creates a pseudorandom generator: equal seeds generate equal numbers. Uses the finalizer of MurmurHash3. */
export const makeDraw = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0
    let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return ((value ^ (value >>> 16)) >>> 0) % below
  }
}

/** Returns true with the probability 1/`cases`. */
export const oneIn = ({ draw }: Writer, cases: number): boolean => draw(cases) === 0

/** Selects an element at random; returns undefined if the list is empty. */
export const pickOne = <A>({ draw }: Writer, all: ReadonlyArray<A>): A | undefined =>
  all.length === 0 ? undefined : all[draw(all.length)]

/** The roles that writers grant. `admin` is missing, so that removing a member never conflicts. */
export const roles = ["read", "comment", "edit", "review", "create"] as const

/** Returns a name that no other resource has. */
export const uniqueName = (writer: Writer): string => `${writer.name}-${++writer.nameCount}`

/** A fact about a field. */
export const fact = (path: string, field: string, value: unknown): Fact => ({ path, field, value })
/** GET of the path returns 200. */
export const exists = (path: string): Fact => fact(path, "status", 200)
/** GET of the path returns 404. */
export const isMissing = (path: string): Fact => fact(path, "status", 404)

/** The path of a list with as many items as a page of it can have. */
const listAt = (path: string): string => `${path}?limit=1000`

/** A fact about a field of an item of the list at a path. `key` is the field that has the id of the item. */
export const itemFact = (path: string, id: string, field: string, value: unknown, key = "id"): Fact => ({
  path: listAt(path),
  field,
  value,
  item: { key, id }
})
/** The list at the path has the item. */
export const isListed = (path: string, id: string, key = "id"): Fact =>
  itemFact(path, id, "listed", true, key)
/** The list at the path does not have the item. */
export const isUnlisted = (path: string, id: string, key = "id"): Fact =>
  itemFact(path, id, "listed", false, key)

/** Returns the subject of a fact: the path of a resource, or a list and the id of an item. */
export const subjectOf = ({ path, item }: Fact): string => (item === undefined ? path : `${path} ${item.id}`)
/** The subject of the facts about an item of the list at a path. */
export const itemSubject = (path: string, id: string): string => `${listAt(path)} ${id}`

/** Generates a write of one kind; returns undefined if the writer lacks a resource that it requires. */
export type WriteKind = (writer: Writer) => Write | undefined

/** Kinds of writes, by the operation that they call. */
export type WriteKinds = { readonly [Id in OperationId]?: ReadonlyArray<WriteKind> }

/** The path of the organization of a writer. */
export const organizationPath = ({ organization }: Writer): string => `/orgs/${organization}`

/** Appends an id to a prefix; returns undefined if the id is undefined. */
export const pathOf = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : prefix + id

/** Returns unique Markdown of one to four paragraphs. */
export const uniqueText = (writer: Writer): string => {
  const lines = Array.from({ length: 1 + writer.draw(4) }, () => `Words of ${uniqueName(writer)}.`)
  return lines.join("\n\n")
}

const rows = new Map(operations.map((operation) => [operation.id, operation]))

/**
 * Creates a write from the row of its operation: its method, its path with the given ids, and its body, which `fields`
 * override. Pass the ids that the body of the row reads from the scene as well.
 */
export const byRow = (
  writer: Writer,
  id: OperationId,
  { elsewhere, otherUser, ...ids }: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, unknown>> = {}
): Pick<Write, "method" | "path" | "body"> => {
  const row = rows.get(id)!
  const named = { organizationId: writer.organization, ...ids }
  // If an id is missing here, the body lacks a field, and the server rejects it.
  const scene = { ids: named as Scene["ids"], elsewhere, otherUser } as Scene
  const body = row.body?.(scene) as object | undefined
  const write = { method: row.method, path: addressOf(row, named).replace("/v1", "") }
  return body === undefined ? write : { ...write, body: { ...body, ...fields } }
}

/** Removes the elements that meet a condition. */
export const removeWhere = <A>(all: Array<A>, isGone: (element: A) => boolean): void => {
  all.splice(0, all.length, ...all.filter((element) => !isGone(element)))
}

/** Removes a space and its content from the resources of the writer, so that no further write uses them. */
export const forgetSpace = (writer: Writer, space: string): void => {
  const isInside = (path: string) => path.startsWith(`/spaces/${space}/`)
  removeWhere(writer.spaces, (id) => id === space)
  removeWhere(writer.pages, (page) => page.space === space)
  removeWhere(writer.archivedPages, (page) => page.space === space)
  removeWhere(writer.proposals, (proposal) => proposal.space === space)
  removeWhere(writer.comments, isInside)
  removeWhere(writer.replies, isInside)
  removeWhere(writer.reviewRequests, ({ list }) => isInside(list))
  removeWhere(writer.grants, ({ content }) => content === `/spaces/${space}`)
}

/** Creates a write that changes one field of the resource at a path. */
export const rename = (
  writer: Writer,
  path: string | undefined,
  method = "PATCH",
  field = "title"
): Write | undefined => {
  if (path === undefined) return undefined
  const value = uniqueName(writer)
  return { method, path, body: { [field]: value }, facts: [fact(path, field, value)] }
}
