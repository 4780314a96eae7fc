/** What a fuzz run came to. */
import type { Class } from "./Attempt.ts"

/** How often an operation was asked, by kind of request and by status. */
interface Count {
  readonly statuses: Map<number, number>
  /** What was said where it was not done. */
  readonly refusals: Map<string, number>
  skipped: number
}

const isSuccess = (status: number): boolean => status < 300

/** Counts requests, and keeps what was wrong. */
export class Report {
  /** What was wrong: each with the request as `curl` sends it. */
  readonly failures: Array<string> = []
  readonly #counts = new Map<string, Map<Class, Count>>()

  /** Says what is to be asked at all. */
  expects(cells: ReadonlyArray<readonly [operation: string, kind: Class]>): void {
    for (const [operation, kind] of cells) this.#count(operation, kind)
  }

  answered(operation: string, kind: Class, status: number, text: string): void {
    const { statuses, refusals } = this.#count(operation, kind)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (kind !== "valid" || isSuccess(status)) return
    const [, message = ""] = /"message":"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
    const said = `${status} ${message.slice(0, 100)}`
    refusals.set(said, (refusals.get(said) ?? 0) + 1)
  }

  /** There was nothing left that the request could have been about. */
  skipped(operation: string, kind: Class): void {
    this.#count(operation, kind).skipped++
  }

  failed(what: string): void {
    this.failures.push(what)
  }

  /** How many requests of a kind an operation had. */
  asked(operation: string, kind: Class): number {
    return total([...this.#count(operation, kind).statuses])
  }

  /** How many requests were made in all. */
  get requests(): number {
    return this.operations.reduce((sum, { requests }) => sum + requests, 0)
  }

  /** Every operation, with its requests, and how many of the valid ones there were and were done. */
  get operations(): ReadonlyArray<{
    readonly operation: string
    readonly requests: number
    readonly valid: number
    readonly done: number
    /** What was said most where it was not done, with how often. */
    readonly refusals: ReadonlyArray<readonly [said: string, count: number]>
  }> {
    return [...this.#counts].map(([operation, kinds]) => {
      const valid = [...(kinds.get("valid")?.statuses ?? [])]
      return {
        operation,
        requests: total([...kinds.values()].flatMap(({ statuses }) => [...statuses])),
        valid: total(valid),
        done: total(valid.filter(([status]) => isSuccess(status))),
        refusals: [...(kinds.get("valid")?.refusals ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, 4)
      }
    })
  }

  /** How many answers had each status, by kind of request. */
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
   * The operations that the run says too little of: without a request of some kind, or with too few that were done.
   * One of each kind has to be made, and of many that are valid one in so many has to be done.
   */
  get neglected(): ReadonlyArray<string> {
    const kinds = [...this.#counts].flatMap(([operation, all]) =>
      [...all.keys()].flatMap((kind) =>
        this.asked(operation, kind) === 0 ? [`${operation} had no request that is ${kind}`] : []
      )
    )
    const done = this.operations.flatMap(({ operation, valid, done }) =>
      done < Math.floor(valid / oneDoneIn)
        ? [`${operation} was done ${done} times of ${valid} that were valid`]
        : []
    )
    return [...kinds, ...done]
  }

  /** The whole as text: the operation with the fewest requests, and the statuses by kind. */
  toString(): string {
    const operations = this.operations.toSorted((a, b) => a.requests - b.requests)
    const [least] = operations
    const share = operations
      .filter(({ valid }) => valid > 0)
      .toSorted((a, b) => a.done / a.valid - b.done / b.valid)
      .slice(0, 30)
      .map(
        ({ operation, valid, done, refusals }) =>
          `  ${operation}: ${done} of ${valid}; ${refusals.map(([said, count]) => `${count} × ${said}`).join("; ")}`
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
      "Valid requests that were done, the fewest first:",
      ...share
    ].join("\n")
  }

  #count(operation: string, kind: Class): Count {
    const kinds = this.#counts.get(operation) ?? new Map<Class, Count>()
    this.#counts.set(operation, kinds)
    const count = kinds.get(kind) ?? { statuses: new Map(), refusals: new Map(), skipped: 0 }
    kinds.set(kind, count)
    return count
  }
}

/** Of so many valid requests at least one has to be done. */
const oneDoneIn = 30

const total = (counts: ReadonlyArray<readonly [status: number, count: number]>): number =>
  counts.reduce((sum, [, count]) => sum + count, 0)
