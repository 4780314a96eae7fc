/** Clients that record acknowledged writes, and verify them later. */
import { expect } from "vitest"
import { adminToken } from "../processes.ts"
import { nextWrite } from "./writes/nextWrite.ts"
import { type Draw, type Fact, makeWriter, type Write, type Writer } from "./writes/writes.ts"

/** The timeout of a response, in milliseconds: less than the 120 s timeout of a test. */
export const responseTimeoutMillis = 100_000

/** The result of a write. Without a response, it is unknown whether the write was executed. */
export interface WriteResult {
  readonly write: Write
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
  /** Verifies all acknowledged facts on a healthy server; returns the violations. Both results of an unacknowledged write are accepted. */
  readonly verify: (url: string) => Promise<ReadonlyArray<string>>
}

/** The possible values of a field: the acknowledged value, and the values of unacknowledged writes. */
interface PossibleValues {
  readonly fact: Fact
  readonly values: ReadonlyArray<unknown>
}

/** The number of concurrent requests of the verification. */
const verificationConcurrency = 8

const fieldOf = (field: string, body: Record<string, unknown>): unknown =>
  field.endsWith("?") ? body[field.slice(0, -1)] !== undefined : body[field]

/** Creates a client of an organization. `name` is the unique prefix of the resources that it creates. */
export const makeClient = (
  organization: string,
  name: string,
  draw: Draw,
  { source, token = adminToken }: { readonly source?: string; readonly token?: string } = {}
): Client => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const writer = makeWriter(organization, name, draw, source)
  const possibleValues = new Map<string, PossibleValues>()
  let acknowledged = 0
  const keyOf = ({ path, field, value }: Fact) =>
    `${path} ${typeof value === "number" && field === "status" ? "response" : field}`
  const recordFacts = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts) possibleValues.set(keyOf(fact), { fact, values: [fact.value] })
  }
  const removeFacts = (prefix: string) => {
    for (const key of [...possibleValues.keys()]) if (key.startsWith(prefix)) possibleValues.delete(key)
  }
  const isRemoval = ({ field, value }: Fact) =>
    (field === "status" && value === 404) || (field === "deletedAt?" && value === true)
  /** Records that a write without a response may have been executed. */
  const recordUncertainty = (facts: ReadonlyArray<Fact>) => {
    for (const fact of facts) {
      const before = possibleValues.get(keyOf(fact))
      if (before !== undefined)
        possibleValues.set(keyOf(fact), { fact, values: [...before.values, fact.value] })
      // The content of a resource that may be removed or restored is not verified.
      if (isRemoval(fact) || fact.field === "deletedAt?") removeFacts(fact.path)
    }
  }

  return {
    writer,
    acknowledged: () => acknowledged,
    write: async (url, timeoutMillis) => {
      const write = nextWrite(writer)
      const { method, path, body, makesUncertain = [], facts = [], done } = write
      for (const prefix of makesUncertain) removeFacts(prefix)
      let response: Response
      let text: string
      try {
        response = await fetch(`${url}/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMillis)
        })
        text = await response.text()
      } catch (cause) {
        recordUncertainty(facts)
        return { write, status: undefined, text: String(cause), retryAfter: null }
      }
      const { status } = response
      if (response.ok) {
        acknowledged++
        for (const fact of facts) if (isRemoval(fact)) removeFacts(fact.path)
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
          const response = await fetch(`${url}/v1${path}`, { headers })
          const body = JSON.parse((await response.text()) || "{}") as Record<string, unknown>
          for (const { fact, values } of all) {
            const isStatus = fact.field === "status" && typeof fact.value === "number"
            const found = isStatus ? response.status : fieldOf(fact.field, body)
            if (!values.includes(found)) {
              violations.push(
                `${path} ${fact.field} is ${JSON.stringify(found)}, not ${JSON.stringify(values)}`
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

/** Expects that all acknowledged facts hold. */
export const expectAcknowledged = async (clients: ReadonlyArray<Client>, url: string): Promise<void> => {
  for (const client of clients) expect(await client.verify(url)).toEqual([])
}
