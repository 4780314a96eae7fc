/** Records which parts of the contract a run has checked. */
import type { OperationId } from "./endpoints.ts"
import { operationsOfBrowsers, publicExceptions } from "./exceptions.ts"

/** The numbers of parts that a run has checked. */
export interface Counts {
  /** Operations that succeeded with the specified status. */
  readonly operations: number
  /** Query parameters that a scenario has sent. */
  readonly parameters: number
  /** Fields of bodies that a scenario has sent, including nested fields. */
  readonly fields: number
  /** Bounds of parameters and fields that were checked with values on both sides. */
  readonly bounds: number
  /** Responses that were validated against the OpenAPI document of the server. */
  readonly responses: number
  /** Successful responses that were also validated against the public contract. */
  readonly publicResponses: number
  /** Calls through the official client. */
  readonly clientCalls: number
}

/** The parts of an operation that a run must check. */
export interface Expected {
  /** Deviations of the document of the server from the specification, a line each. */
  readonly undeclared: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<string>
  /** Whether the operation returns a paginated list. */
  readonly isList: boolean
}

const kinds = ["parameters", "fields", "bounds"] as const

/** The coverage of a run: the parts to check, and the parts that were checked. */
export class Coverage {
  readonly #expected = new Map<string, Expected>()
  readonly #called = new Set<string>()
  readonly #paginated = new Set<string>()
  readonly #excepted = new Set<string>()
  readonly #recorded = { parameters: new Set<string>(), fields: new Set<string>(), bounds: new Set<string>() }
  #responses = 0
  #publicResponses = 0
  #clientCalls = 0

  /** Registers the parts of an operation that the run must check. */
  expect(operation: string, expected: Expected): void {
    this.#expected.set(operation, expected)
  }

  /** Records that a response differs from the public contract as an exception allows. */
  recordException(operation: string): void {
    this.#excepted.add(operation)
  }

  /** Records that an operation succeeded in a scenario. */
  recordCall(operation: string): void {
    this.#called.add(operation)
  }

  /** Records that the pagination of a list with two or more items was checked. */
  recordPagination(operation: string): void {
    this.#paginated.add(operation)
  }

  /** Whether the pagination of a list was checked. */
  isPaginationChecked(operation: string): boolean {
    return this.#paginated.has(operation)
  }

  /** Records that a part of an operation was checked. Returns false if it was recorded before. */
  record(kind: (typeof kinds)[number], operation: string, name: string): boolean {
    const key = `${operation} ${name}`
    if (this.#recorded[kind].has(key)) return false
    this.#recorded[kind].add(key)
    return true
  }

  /** Records that a response was validated; `isPublic` if it was also validated against the public contract. */
  recordResponse(isPublic: boolean): void {
    this.#responses++
    if (isPublic) this.#publicResponses++
  }

  /** Records a call through the official client. */
  recordClientCall(): void {
    this.#clientCalls++
  }

  /** Returns the parts that were not checked, and exceptions that no response needs, a line each. */
  missing(): ReadonlyArray<string> {
    return [...this.#expected].flatMap(([operation, expected]) => {
      if (operationsOfBrowsers.has(operation)) return []
      const undeclared = expected.undeclared.map((line) => `${operation}: ${line}`)
      if (!this.#called.has(operation)) return [...undeclared, `${operation} was not called`]
      const isUnpaginated = expected.isList && !this.#paginated.has(operation)
      const isStale =
        publicExceptions[operation as OperationId] !== undefined && !this.#excepted.has(operation)
      return [
        ...undeclared,
        ...(isStale
          ? [`${operation} does not differ from the public contract; remove it from publicExceptions`]
          : []),
        ...(isUnpaginated ? [`${operation}: its pagination was not checked`] : []),
        ...kinds.flatMap((kind) =>
          expected[kind]
            .filter((name) => !this.#recorded[kind].has(`${operation} ${name}`))
            .map((name) => `${operation}: ${name} was not ${kind === "bounds" ? "checked" : "sent"}`)
        )
      ]
    })
  }

  /** Returns how many of the registered parts were checked. */
  counts(): Counts {
    const expected = [...this.#expected]
    const count = (kind: (typeof kinds)[number]) =>
      expected.reduce(
        (sum, [operation, all]) =>
          sum + all[kind].filter((name) => this.#recorded[kind].has(`${operation} ${name}`)).length,
        0
      )
    return {
      operations: expected.filter(([operation]) => this.#called.has(operation)).length,
      parameters: count("parameters"),
      fields: count("fields"),
      bounds: count("bounds"),
      responses: this.#responses,
      publicResponses: this.#publicResponses,
      clientCalls: this.#clientCalls
    }
  }
}

/** Formats the counts of a run as one line of text. */
export const summaryOf = (counts: Counts): string =>
  `${counts.operations} operations, ${counts.parameters} query parameters, ${counts.fields} fields of bodies, ` +
  `${counts.bounds} bounds; ${counts.responses} validated responses, ${counts.publicResponses} of them against the ` +
  `public contract; ${counts.clientCalls} calls through the official client`
