/** Clients that record acknowledged writes, and verify them later. */
import { CurrentUser, EventLog, Spaces, UserId, Webhooks } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { adminToken } from "../processes.ts"
import type { TestServer } from "../support.ts"
import { type GeneratedWrite, nextWrite } from "./writes/nextWrite.ts"
import {
  type Draw,
  type Fact,
  makeWriter,
  subjectOf,
  type Writer,
  type WriterOptions
} from "./writes/writes.ts"

/** The timeout of a response, in milliseconds: less than the 120 s timeout of a test. */
export const responseTimeoutMillis = 100_000

/** The result of a write. Without a response, it is unknown whether the write was executed. */
export interface WriteResult {
  readonly write: GeneratedWrite
  /** Undefined if no response arrived. */
  readonly status: number | undefined
  readonly text: string
  readonly retryAfter: string | null
}

/** A client that writes, and records the acknowledged facts. */
export interface Client {
  readonly writer: Writer
  /** Returns the number of acknowledged writes. */
  readonly acknowledged: () => number
  /** Generates a write and sends it to the server at a URL; returns the result. */
  readonly write: (url: string, timeoutMillis: number) => Promise<WriteResult>
  /**
   * Verifies all acknowledged facts on a healthy server; returns the violations. A write without a response may have been
   * executed or not.
   */
  readonly verify: (url: string) => Promise<ReadonlyArray<string>>
}

/** The possible values of a field: the acknowledged value, and the values of unacknowledged writes. */
interface PossibleValues {
  readonly fact: Fact
  readonly values: ReadonlyArray<unknown>
}

/** The number of concurrent requests of the verification. */
const verificationConcurrency = 8

/** Returns the fact, and for a field of an item of a list also the fact that the list contains the item. */
const withImplied = (fact: Fact): ReadonlyArray<Fact> =>
  fact.item === undefined || fact.field === "listed"
    ? [fact]
    : [fact, { ...fact, field: "listed", value: true }]

/** Returns the value of a field. `path` contains names, separated by dots. */
const valueAt = (body: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], body)

const fieldOf = (field: string, body: unknown): unknown =>
  field.endsWith("?") ? valueAt(body, field.slice(0, -1)) !== undefined : valueAt(body, field)

/** Returns the value in a response that a fact is about. */
const observedValue = ({ field, value, item }: Fact, status: number, body: unknown): unknown => {
  if (item === undefined) {
    return field === "status" && typeof value === "number" ? status : fieldOf(field, body)
  }
  const { items } = body as { readonly items?: ReadonlyArray<unknown> }
  if (items === undefined) return `no list, but the status ${status}`
  const found = items.find((one) => valueAt(one, item.key) === item.id)
  return field === "listed" ? found !== undefined : fieldOf(field, found)
}

/** Creates a client of an organization. `name` is the unique prefix of the resources that it creates. */
export const makeClient = (
  organization: string,
  name: string,
  draw: Draw,
  { token = adminToken, ...options }: WriterOptions & { readonly token?: string } = {}
): Client => {
  const headersFor = (caller: string) => ({
    authorization: `Bearer ${caller}`,
    "content-type": "application/json"
  })
  const writer = makeWriter(organization, name, draw, options)
  const possibleValues = new Map<string, PossibleValues>()
  let acknowledged = 0
  const keyOf = (fact: Fact) =>
    `${subjectOf(fact)} ${typeof fact.value === "number" && fact.field === "status" ? "response" : fact.field}`
  // A request that the client has abandoned can be executed after its next one: they have different connections.
  const lateValues = new Map<string, ReadonlyArray<unknown>>()
  const lateRemovals = new Set<string>()
  const recordLate = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts.flatMap(withImplied)) {
      const key = keyOf(fact)
      lateValues.set(key, [...(lateValues.get(key) ?? []), fact.value])
      if (isRemoval(fact) || fact.field === "deletedAt?") lateRemovals.add(subjectOf(fact))
    }
  }
  const recordFacts = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts.flatMap(withImplied)) {
      if (lateRemovals.has(subjectOf(fact))) continue
      const key = keyOf(fact)
      possibleValues.set(key, { fact, values: [fact.value, ...(lateValues.get(key) ?? [])] })
    }
  }
  const removeFacts = (prefix: string) => {
    for (const key of [...possibleValues.keys()]) if (key.startsWith(prefix)) possibleValues.delete(key)
  }
  const isRemoval = ({ field, value }: Fact) =>
    (field === "status" && value === 404) ||
    (field === "deletedAt?" && value === true) ||
    (field === "listed" && value === false)
  /** Records that a write without a response may have been executed. */
  const recordUncertainty = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts.flatMap(withImplied)) {
      const before = possibleValues.get(keyOf(fact))
      if (before !== undefined)
        possibleValues.set(keyOf(fact), { fact, values: [...before.values, fact.value] })
      // The content of a resource that may be removed or restored is not verified.
      if (isRemoval(fact) || fact.field === "deletedAt?") removeFacts(subjectOf(fact))
    }
  }

  return {
    writer,
    acknowledged: () => acknowledged,
    write: async (url, timeoutMillis) => {
      const write = nextWrite(writer)
      const { method, path, body, token: caller = token, makesUncertain = [], facts = [], done } = write
      for (const prefix of makesUncertain) removeFacts(prefix)
      let response: Response
      let text: string
      try {
        response = await fetch(`${url}/v1${path}`, {
          method,
          headers: headersFor(caller),
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMillis)
        })
        text = await response.text()
      } catch (cause) {
        recordUncertainty(facts)
        // After another error, the server has closed the connection, or was killed.
        if (cause instanceof DOMException && cause.name === "TimeoutError") recordLate(facts)
        return { write, status: undefined, text: String(cause), retryAfter: null }
      }
      const { status } = response
      if (response.ok) {
        acknowledged++
        for (const fact of facts) if (isRemoval(fact)) removeFacts(subjectOf(fact))
        recordFacts(facts)
        recordFacts(done?.((text === "" ? undefined : JSON.parse(text)) as never) ?? [])
      } else if (status >= 500) recordUncertainty(facts)
      return { write, status, text, retryAfter: response.headers.get("retry-after") }
    },
    verify: async (url) => {
      const byPath = Map.groupBy(possibleValues.values(), ({ fact }) => fact.path)
      const violations: Array<string> = []
      const paths = [...byPath]
      const verifyPaths = async () => {
        for (let next = paths.pop(); next !== undefined; next = paths.pop()) {
          const [path, all] = next
          const response = await fetch(`${url}/v1${path}`, { headers: headersFor(token) })
          const body: unknown = JSON.parse((await response.text()) || "{}")
          for (const { fact, values } of all) {
            const found = observedValue(fact, response.status, body)
            if (!values.includes(found)) {
              violations.push(
                `${subjectOf(fact)} ${fact.field} is ${JSON.stringify(found)}, not ${JSON.stringify(values)}`
              )
            }
          }
        }
      }
      await Promise.all(Array.from({ length: verificationConcurrency }, verifyPaths))
      return violations
    }
  }
}

/** Creates a webhook with a delivery, whose server does not exist. Returns the path of the delivery. */
const createDelivery = (administrator: string, organization: string) =>
  Effect.gen(function* () {
    const { create, listDeliveries } = yield* Webhooks
    const input = { url: "http://127.0.0.1:9/", events: ["space.created"] }
    const webhook = yield* create({ organization, input })
    yield* (yield* Spaces).create({ organization })
    yield* (yield* EventLog).number
    const { items } = yield* listDeliveries({ organization, webhook: webhook.id })
    return `/orgs/${organization}/webhooks/${webhook.id}/deliveries/${items[0]!.id}`
  }).pipe(CurrentUser.provide(UserId.make(administrator)))

/**
 * Creates the resources that a writer requires and no operation creates: another organization, a user to join, a user
 * of its organization who can review, and a delivery to a webhook.
 */
export const createWriterOptions = async (
  { core, tokenOf }: Pick<TestServer, "core" | "tokenOf">,
  administrator: string,
  name: string,
  organization: string
): Promise<WriterOptions> => {
  const id = await core.createUser(`newcomer-${name}@example.com`)
  const reviewer = await core.createUser(`reviewer-${name}@example.com`)
  await core.setMember(organization, reviewer, "review")
  const elsewhere = await core.createOrganization(`Elsewhere of ${name}`, administrator)
  return {
    elsewhere,
    reviewers: [reviewer],
    deliveries: [await core.runtime.runPromise(createDelivery(administrator, elsewhere))],
    newcomers: [{ id, token: await tokenOf(id) }]
  }
}

/** Expects that all acknowledged facts hold. */
export const expectAcknowledged = async (clients: ReadonlyArray<Client>, url: string): Promise<void> => {
  for (const client of clients) expect(await client.verify(url)).toEqual([])
}
