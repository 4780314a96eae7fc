/** The report of a fuzz run. */
import { operationsOfBrowsers } from "@lectern/testkit/contract"
import type { AttemptKind } from "./Attempt.ts"

/** The requests of one kind to an operation. */
interface Count {
  /** The number of responses by status. */
  readonly statuses: Map<number, number>
  /** The number of responses by status and error message, if the request was valid and failed. */
  readonly rejections: Map<string, number>
  skipped: number
}

/** Operations on resources that a world has too few of: neither organization is seeded with them. */
const unseeded: ReadonlySet<string> = new Set([
  ...operationsOfBrowsers,
  "updateSiteRedirectById",
  "deleteSiteRedirectById",
  "getImportRun",
  "cancelImportRun",
  "getWebhook",
  "updateWebhook",
  "deleteWebhook",
  "rotateWebhookSecret",
  "listWebhookDeliveries",
  "getWebhookDelivery",
  "redeliverWebhookDelivery"
])

const isSuccess = (status: number): boolean => status < 300

/** Counts requests, and collects violations. */
export class Report {
  /** The violations, each with its request as a `curl` command. */
  readonly failures: Array<string> = []
  readonly #counts = new Map<string, Map<AttemptKind, Count>>()

  /** Declares that an operation is to get attempts of a kind. */
  addCells(cells: ReadonlyArray<readonly [operation: string, kind: AttemptKind]>): void {
    for (const [operation, kind] of cells) this.#count(operation, kind)
  }

  /** Records a response to an attempt. */
  recordResponse(operation: string, kind: AttemptKind, status: number, text: string): void {
    const { statuses, rejections } = this.#count(operation, kind)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (kind !== "valid" || isSuccess(status)) return
    const [, message = ""] = /"message":"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
    const rejection = `${status} ${message.slice(0, 100)}`
    rejections.set(rejection, (rejections.get(rejection) ?? 0) + 1)
  }

  /** Records that an attempt was skipped, as no suitable resource was left. */
  recordSkip(operation: string, kind: AttemptKind): void {
    this.#count(operation, kind).skipped++
  }

  /** Records a violation. */
  recordFailure(description: string): void {
    this.failures.push(description)
  }

  /** Returns the number of requests of a kind to an operation. */
  countRequests(operation: string, kind: AttemptKind): number {
    return sumCounts([...this.#count(operation, kind).statuses])
  }

  /** The total number of requests. */
  get requests(): number {
    return this.operations.reduce((sum, { requests }) => sum + requests, 0)
  }

  /** The statistics of each operation: all requests, the valid ones, and the valid ones that succeeded. */
  get operations(): ReadonlyArray<{
    readonly operation: string
    readonly requests: number
    readonly valid: number
    readonly succeeded: number
    /** The most frequent statuses and messages of valid requests that failed, with their number. */
    readonly rejections: ReadonlyArray<readonly [message: string, count: number]>
  }> {
    return [...this.#counts].map(([operation, kinds]) => {
      const valid = [...(kinds.get("valid")?.statuses ?? [])]
      return {
        operation,
        requests: sumCounts([...kinds.values()].flatMap(({ statuses }) => [...statuses])),
        valid: sumCounts(valid),
        succeeded: sumCounts(valid.filter(([status]) => isSuccess(status))),
        rejections: [...(kinds.get("valid")?.rejections ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, 4)
      }
    })
  }

  /** The number of responses by kind of attempt and status. */
  get statuses(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const table: Record<string, Record<string, number>> = {}
    for (const kinds of this.#counts.values()) {
      for (const [kind, { statuses }] of kinds) {
        for (const [status, count] of statuses) {
          table[kind] = { ...table[kind], [status]: (table[kind]?.[status] ?? 0) + count }
        }
      }
    }
    return table
  }

  /**
   * The operations that were not tested enough, a line each: without a request of some kind, or with fewer than one
   * success per 30 valid requests.
   */
  get undertested(): ReadonlyArray<string> {
    const withoutRequests = [...this.#counts].flatMap(([operation, all]) =>
      [...all.keys()].flatMap((kind) =>
        this.countRequests(operation, kind) === 0 && !unseeded.has(operation)
          ? [`${operation} had no ${kind} request`]
          : []
      )
    )
    const withoutSuccesses = this.operations.flatMap(({ operation, valid, succeeded }) =>
      succeeded < Math.floor(valid / maxValidPerSuccess)
        ? [`${operation}: ${succeeded} of ${valid} valid requests succeeded`]
        : []
    )
    return [...withoutRequests, ...withoutSuccesses]
  }

  /**
   * Returns the report as text: the number of requests, statuses by kind, and the operations with the fewest successes.
   */
  toString(): string {
    const operations = this.operations.toSorted((a, b) => a.requests - b.requests)
    const [least] = operations
    const share = operations
      .filter(({ valid }) => valid > 0)
      .toSorted((a, b) => a.succeeded / a.valid - b.succeeded / b.valid)
      .slice(0, 30)
      .map(
        ({ operation, valid, succeeded, rejections }) =>
          `  ${operation}: ${succeeded} of ${valid}; ${rejections.map(([message, count]) => `${count} × ${message}`).join("; ")}`
      )
    const rows = Object.entries(this.statuses).map(
      ([kind, statuses]) =>
        `  ${kind}: ${Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(", ")}`
    )
    return [
      `${this.requests} requests of ${operations.length} operations, at least ${least?.requests} of each (${least?.operation})`,
      ...rows,
      "Successes of valid requests, lowest share first:",
      ...share
    ].join("\n")
  }

  #count(operation: string, kind: AttemptKind): Count {
    const kinds = this.#counts.get(operation) ?? new Map<AttemptKind, Count>()
    this.#counts.set(operation, kinds)
    const count = kinds.get(kind) ?? { statuses: new Map(), rejections: new Map(), skipped: 0 }
    kinds.set(kind, count)
    return count
  }
}

/** At least one of this many valid requests must succeed. */
const maxValidPerSuccess = 30

const sumCounts = (counts: ReadonlyArray<readonly [status: number, count: number]>): number =>
  counts.reduce((sum, [, count]) => sum + count, 0)
