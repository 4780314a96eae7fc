/** What a server has acknowledged, and whether it is still there. */
import { expect } from "vitest"
import { adminToken } from "../processes.ts"
import type { TestServer } from "../support.ts"
import { type DrawnWrite, nextWrite } from "./writes/nextWrite.ts"
import {
  type Draw,
  type Fact,
  makeWriter,
  subjectOf,
  type Writer,
  type WriterOptions
} from "./writes/writes.ts"

/** Every response arrives within this time, in milliseconds, on any machine: less than the 120 s that a test may take. */
export const responseTimeoutMillis = 100_000

/** How a write ended: with an answer, or without one, so that it may have been done or not. */
export interface Ended {
  readonly write: DrawnWrite
  /** Undefined where there was no answer. */
  readonly status: number | undefined
  readonly text: string
  readonly retryAfter: string | null
}

/** A client that writes, and remembers what it was told. */
export interface Client {
  readonly writer: Writer
  /** How many writes were acknowledged. */
  readonly acknowledged: () => number
  /** Draws a write, sends it, and answers how that ended. */
  readonly write: (url: string, timeoutMillis: number) => Promise<Ended>
  /** Looks for all that was acknowledged, on a server that is well. What was left unanswered may be so or so. */
  readonly verify: (url: string) => Promise<ReadonlyArray<string>>
}

/** What a field may be: one value that was acknowledged, or also those of writes that were not answered. */
interface Known {
  readonly fact: Fact
  readonly values: ReadonlyArray<unknown>
}

/** The fact, and for one about a field of an item of a list, that the list has the item. */
const withImplied = (fact: Fact): ReadonlyArray<Fact> =>
  fact.item === undefined || fact.field === "listed"
    ? [fact]
    : [fact, { ...fact, field: "listed", value: true }]

/** How many look at once when all is verified. */
const together = 8

/** The value at a path of names, with dots between them. */
const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value)

const fieldOf = (field: string, body: unknown): unknown =>
  field.endsWith("?") ? valueAt(body, field.slice(0, -1)) !== undefined : valueAt(body, field)

/** What a response shows of a fact. */
const shownOf = ({ field, value, item }: Fact, status: number, body: unknown): unknown => {
  if (item === undefined) {
    return field === "status" && typeof value === "number" ? status : fieldOf(field, body)
  }
  const { items } = body as { readonly items?: ReadonlyArray<unknown> }
  if (items === undefined) return `the status ${status}`
  const found = items.find((one) => valueAt(one, item.key) === item.id)
  return field === "listed" ? found !== undefined : fieldOf(field, found)
}

/** Makes a client of an organization. Its names begin with `name`, which is its own. */
export const makeClient = (
  organization: string,
  name: string,
  draw: Draw,
  { token = adminToken, ...options }: WriterOptions & { readonly token?: string } = {}
): Client => {
  const headersOf = (caller: string) => ({
    authorization: `Bearer ${caller}`,
    "content-type": "application/json"
  })
  const writer = makeWriter(organization, name, draw, options)
  const known = new Map<string, Known>()
  let acknowledged = 0
  const keyOf = (fact: Fact) =>
    `${subjectOf(fact)} ${typeof fact.value === "number" && fact.field === "status" ? "answer" : fact.field}`
  const learn = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts.flatMap(withImplied)) known.set(keyOf(fact), { fact, values: [fact.value] })
  }
  const forget = (prefix: string) => {
    for (const key of [...known.keys()]) if (key.startsWith(prefix)) known.delete(key)
  }
  const isRemoval = ({ field, value }: Fact) =>
    (field === "status" && value === 404) ||
    (field === "deletedAt?" && value === true) ||
    (field === "listed" && value === false)
  /** Without an answer it may have been done. */
  const doubt = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts.flatMap(withImplied)) {
      const before = known.get(keyOf(fact))
      if (before !== undefined) known.set(keyOf(fact), { fact, values: [...before.values, fact.value] })
      // What may be gone is not looked into, nor is what may be there again.
      if (isRemoval(fact) || fact.field === "deletedAt?") forget(subjectOf(fact))
    }
  }

  return {
    writer,
    acknowledged: () => acknowledged,
    write: async (url, timeoutMillis) => {
      const write = nextWrite(writer)
      const { method, path, body, token: caller = token, makesUncertain = [], facts = [], done } = write
      for (const prefix of makesUncertain) forget(prefix)
      let response: Response
      let text: string
      try {
        response = await fetch(`${url}/v1${path}`, {
          method,
          headers: headersOf(caller),
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMillis)
        })
        text = await response.text()
      } catch (cause) {
        doubt(facts)
        return { write, status: undefined, text: String(cause), retryAfter: null }
      }
      const { status } = response
      if (response.ok) {
        acknowledged++
        for (const fact of facts) if (isRemoval(fact)) forget(subjectOf(fact))
        learn(facts)
        learn(done?.((text === "" ? undefined : JSON.parse(text)) as never) ?? [])
      } else if (status >= 500) doubt(facts)
      return { write, status, text, retryAfter: response.headers.get("retry-after") }
    },
    verify: async (url) => {
      const byPath = Map.groupBy(known.values(), ({ fact }) => fact.path)
      const lost: Array<string> = []
      const paths = [...byPath]
      const look = async () => {
        for (let next = paths.pop(); next !== undefined; next = paths.pop()) {
          const [path, all] = next
          const response = await fetch(`${url}/v1${path}`, { headers: headersOf(token) })
          const body: unknown = JSON.parse((await response.text()) || "{}")
          for (const { fact, values } of all) {
            const found = shownOf(fact, response.status, body)
            if (!values.includes(found)) {
              lost.push(
                `${subjectOf(fact)} ${fact.field} is ${JSON.stringify(found)}, not ${JSON.stringify(values)}`
              )
            }
          }
        }
      }
      await Promise.all(Array.from({ length: together }, look))
      return lost
    }
  }
}

/** Creates what a writer needs and no operation creates: an organization of its own, and a user who can join. */
export const makeWriterOptions = async (
  { core, tokenOf }: Pick<TestServer, "core" | "tokenOf">,
  administrator: string,
  name: string
): Promise<WriterOptions> => {
  const id = await core.createUser(`newcomer-${name}@example.com`)
  return {
    elsewhere: await core.createOrganization(`Elsewhere of ${name}`, administrator),
    newcomers: [{ id, token: await tokenOf(id) }]
  }
}

/** Expects that all that clients were told is so. */
export const expectKept = async (clients: ReadonlyArray<Client>, url: string): Promise<void> => {
  for (const client of clients) expect(await client.verify(url)).toEqual([])
}
