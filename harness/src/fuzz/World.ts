/**
 * The world of a fuzz run: an organization whose users send the requests, and another that must stay isolated from
 * them.
 */

import { Schema } from "effect"
import type { ApiOperation } from "./ApiOperation.ts"
import type { Client, HttpRequest } from "./client.ts"
import { crawl, type PathParams, type Pool } from "./Pool.ts"
import { type Call, seedOrganization } from "./seed.ts"

/** The server under test, and operations that its API does not have. */
export interface Host {
  /** Lower-case letters and digits that distinguish this run from others on the same server. */
  readonly name: string
  /** The base URL of the server. */
  readonly url: string
  /** Creates a user with an API token. */
  readonly createUser: (email: string) => Promise<Person>
  /** Creates an organization with its first administrator. Returns its id. */
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  /** Adds a user to an organization; null is the role of a guest. */
  readonly setMember: (organization: string, user: string, role: "edit" | "read" | null) => Promise<void>
  /** Runs all pending background jobs. */
  readonly runJobs: () => Promise<void>
}

/** A user with an API token. */
export interface Person {
  readonly id: string
  readonly token: string
}

/** The members of an organization, by role. */
export interface People {
  readonly admin: Person
  readonly editor: Person
  readonly reader: Person
  /** Has access to one space only. */
  readonly guest: Person
}

/** An organization, its members and its resources. */
export interface OrganizationState {
  /** A string that all titles and contents of the organization contain, and no other organization uses. */
  readonly marker: string
  readonly people: People
  readonly pool: Pool
}

/** The two organizations of a run. */
export interface World {
  /** The organization whose users send the requests. */
  readonly own: OrganizationState
  /** The organization that these users must neither see nor change. */
  readonly other: OrganizationState
  /** A user who is not a member of any organization. */
  readonly stranger: Person
  /**
   * The ids of the other organization that its responses must not disclose. Ids that a request contained are removed.
   */
  readonly secrets: Set<string>
  /** The deleted resources, with their paths. */
  readonly deleted: Array<readonly [subject: string, entry: PathParams]>
  /** The cursors that lists returned, by URL without cursor. */
  readonly cursors: Map<string, string>
  /** Returns the URLs of the other organization whose content has changed since the start; empty if nothing has. */
  readonly findChanges: () => Promise<ReadonlyArray<string>>
}

const idPattern = /\b[0-9a-hjkmnp-tv-z]{30}\b/g

/** Returns all ids that a string contains. */
export const idsIn = (text: string): ReadonlyArray<string> => text.match(idPattern) ?? []

/** Returns a request with a token and an optional JSON body. */
export const makeRequest = (token: string, method: string, path: string, body?: unknown): HttpRequest => ({
  method,
  path,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" })
  },
  body: body === undefined ? undefined : JSON.stringify(body)
})

const callAs =
  (client: Client, { token }: Person): Call =>
  async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const { status, text } = await client.send(makeRequest(token, method, path, body))
    if (status >= 300) throw new Error(`Seeding failed: ${method} ${path} returned ${status}: ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }

/** Fields that change without a write. */
const volatileFields = /"last(?:Seen|Used)At":"[^"]*",?/g

/** Reads whose response contains the time of the request, as in the URL of a PDF. */
const unstableReads = /\/(embed|pdf|export)$/

/** Whether an operation can be called without a query. */
const hasOptionalQuery = ({ query }: ApiOperation): boolean => query === undefined || Schema.is(query)({})

/**
 * Creates the two organizations and their contents, and crawls them at `paths`. `name` must be unique on the server.
 * Without `hasSpaces`, they have no spaces and no sites, which is faster.
 */
export const makeWorld = async (
  host: Host,
  client: Client,
  operations: ReadonlyArray<ApiOperation>,
  paths: ReadonlySet<string>,
  name: string,
  hasSpaces: boolean
): Promise<World> => {
  const reads = operations.filter(({ method }) => method === "GET")
  const isStable = (operation: ApiOperation) =>
    hasOptionalQuery(operation) && !unstableReads.test(operation.path)
  const stablePaths = new Set(reads.filter(isStable).map(({ path }) => path))

  const crawlAs = (people: People, marker: string) =>
    crawl([...paths], stablePaths, async (address) => {
      const { status, text } = await client.send(makeRequest(people.admin.token, "GET", address))
      if (status === 404) return undefined
      if (status !== 200) throw new Error(`Crawling ${marker} failed: ${address} returned ${status}: ${text}`)
      return text
    })

  const populate = async (
    marker: string,
    options: Omit<Parameters<typeof seedOrganization>[4], "runJobs">
  ) => {
    const person = (role: string) => host.createUser(`${role}@${marker}.example`)
    const people: People = {
      admin: await person("admin"),
      editor: await person("editor"),
      reader: await person("reader"),
      guest: await person("guest")
    }
    const organization = await host.createOrganization(`Organization ${marker}`, people.admin.id)
    await host.setMember(organization, people.editor.id, "edit")
    await host.setMember(organization, people.reader.id, "read")
    await host.setMember(organization, people.guest.id, null)
    const calls = new Map(Object.values(people).map((one) => [one.id, callAs(client, one)]))
    const call: Call = (method, path, body) => {
      const [, user] = /^\/v1\/users\/(\w+)$/.exec(path) ?? []
      return calls.get(user ?? people.admin.id)!(method, path, body)
    }
    await seedOrganization(call, marker, organization, people, { ...options, runJobs: host.runJobs })
    return { marker, people, organization }
  }

  const own = await populate(`own${name}`, {
    spaces: hasSpaces ? 3 : 0,
    sites: ["public", "share-link", "public"]
  })
  // A target for transfers.
  await host.createOrganization(`Second ${own.marker}`, own.people.admin.id)
  const other = await populate(`secret${name}`, {
    spaces: hasSpaces ? 3 : 0,
    sites: ["share-link", "visitor-auth"]
  })
  const ownPool = await crawlAs(own.people, own.marker)
  const otherPool = await crawlAs(other.people, other.marker)
  return {
    own: { ...own, pool: ownPool },
    other: { ...other, pool: otherPool },
    stranger: await host.createUser(`stranger-${name}@nowhere.example`),
    secrets: new Set([...otherPool.bodies.values()].flatMap(idsIn)),
    deleted: [],
    cursors: new Map(),
    findChanges: async () => {
      const { bodies } = await crawlAs(other.people, other.marker)
      const withoutVolatileFields = (text: string | undefined) => text?.replaceAll(volatileFields, "")
      return [...otherPool.bodies.keys()].filter(
        (address) =>
          withoutVolatileFields(bodies.get(address)) !== withoutVolatileFields(otherPool.bodies.get(address))
      )
    }
  }
}
