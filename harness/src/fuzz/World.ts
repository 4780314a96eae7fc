/** Two organizations on one server that know nothing of each other: one whose users are played, and one that is guarded. */
import type { Client, Request } from "./client.ts"
import type { Declared } from "./Declared.ts"
import { crawl, type Entry, type Pool } from "./Pool.ts"
import { type Call, seed } from "./seed.ts"

/** The server, and the way to what the API itself has no operation for. */
export interface Host {
  /** Lower-case letters and digits that tell this run from others on the same server. */
  readonly name: string
  readonly url: string
  /** Makes a user, and a token of theirs. */
  readonly createUser: (email: string) => Promise<Person>
  /** Makes an organization with its first administrator, and answers its id. */
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  /** Makes a user a member. */
  readonly setMember: (organization: string, user: string, role: "edit" | "read" | null) => Promise<void>
  /** Waits until all that is done in the background is done. */
  readonly settle: () => Promise<void>
}

/** Somebody who calls. */
export interface Person {
  readonly id: string
  readonly token: string
}

/** The members of an organization, by what they may do there. */
export interface People {
  readonly admin: Person
  readonly editor: Person
  readonly reader: Person
  /** Sees nothing but one space. */
  readonly guest: Person
}

/** An organization with all that is in it. */
export interface Side {
  /** What all of its texts carry, and nobody else's. */
  readonly marker: string
  readonly people: People
  readonly pool: Pool
}

/** The two. */
export interface World {
  /** The one whose users make the requests. */
  readonly own: Side
  /** The one of which they must see nothing, and in which they must change nothing. */
  readonly other: Side
  /** A user who is a member of nothing. */
  readonly stranger: Person
  /** Every id of the other side that was never told to this one: they are too long to be guessed. */
  readonly secrets: Set<string>
  /** What has been deleted, by its path. */
  readonly deleted: Array<readonly [subject: string, entry: Entry]>
  /** Pages of lists that were offered, by the address that they belong to. */
  readonly cursors: Map<string, string>
  /** What the administrator of the other side sees now that is unlike what they saw at first; nothing where all is the same. */
  readonly differences: () => Promise<ReadonlyArray<string>>
}

const idPattern = /\b[0-9a-hjkmnp-tv-z]{30}\b/g

/** Every id that a text has. */
export const idsIn = (text: string): ReadonlyArray<string> => text.match(idPattern) ?? []

/** A request of somebody, with a JSON body where there is one. */
export const asked = (token: string, method: string, path: string, body?: unknown): Request => ({
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
    const { status, text } = await client.send(asked(token, method, path, body))
    if (status >= 300) throw new Error(`${method} ${path} of the content to begin with: ${status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }

/** What is no content, but a moment or the signature of one. */
const volatile = /"lastSeenAt":"[^"]*",?/g

/**
 * Makes two organizations, of names that no other world on the server has. What the paths need is looked for in them,
 * and what can be read at the paths must stay as it is in the other one. Without richness they have no spaces.
 */
export const makeWorld = async (
  host: Host,
  client: Client,
  operations: ReadonlyArray<Declared>,
  paths: ReadonlySet<string>,
  name: string,
  richness: 0 | 1
): Promise<World> => {
  const reads = operations.filter(({ method }) => method === "GET")
  // What is read by a query cannot be asked without one, and the address of a PDF tells when it was asked for.
  const isSteady = ({ path }: Declared) => !path.endsWith("/search") && !path.endsWith("/pdf")
  const steady = new Set(reads.filter(isSteady).map(({ path }) => path))

  const look = (people: People, marker: string) =>
    crawl([...paths], steady, async (address) => {
      const { status, text } = await client.send(asked(people.admin.token, "GET", address))
      if (status === 404) return undefined
      if (status !== 200) throw new Error(`${address} of ${marker}: ${status} ${text}`)
      return text
    })

  const populate = async (marker: string, options: Omit<Parameters<typeof seed>[4], "settle">) => {
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
    await seed(call, marker, organization, people, { ...options, settle: host.settle })
    return { marker, people, organization }
  }

  const own = await populate(`own${name}`, {
    spaces: 3 * richness,
    sites: ["public", "share-link", "public"]
  })
  // Somewhere that content can be transferred to.
  await host.createOrganization(`Second ${own.marker}`, own.people.admin.id)
  const other = await populate(`secret${name}`, {
    spaces: 3 * richness,
    sites: ["share-link", "visitor-auth"]
  })
  const ownPool = await look(own.people, own.marker)
  const otherPool = await look(other.people, other.marker)
  return {
    own: { ...own, pool: ownPool },
    other: { ...other, pool: otherPool },
    stranger: await host.createUser(`stranger-${name}@nowhere.example`),
    secrets: new Set([...otherPool.read.values()].flatMap(idsIn)),
    deleted: [],
    cursors: new Map(),
    differences: async () => {
      const { read } = await look(other.people, other.marker)
      const steadily = (text: string | undefined) => text?.replaceAll(volatile, "")
      return [...otherPool.read.keys()].filter(
        (address) => steadily(read.get(address)) !== steadily(otherPool.read.get(address))
      )
    }
  }
}
