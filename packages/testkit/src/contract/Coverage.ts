/** The coverage of a run of the contract. */

import type { OperationId } from "./endpoints.ts"
import { publicExceptions } from "./exceptions.ts"

/** How much a run has checked. */
export interface Counts {
  /** Operations of the endpoint table that were called, with the exact status of a success. */
  readonly operations: number
  /** Query parameters that a scenario sent. */
  readonly parameters: number
  /** Fields of bodies that a scenario sent, those inside others too. */
  readonly fields: number
  /** Bounds of parameters and fields that were tried at, under and over their edge. */
  readonly bounds: number
  /** Responses that were validated by the OpenAPI document of the server. */
  readonly responses: number
  /** Of these, successes that were compared with the public contract too. */
  readonly publicResponses: number
  /** Calls by the official client. */
  readonly clientCalls: number
}

/** The parts of an operation to check. */
export interface Expected {
  /** Parts of the specification that the document of the server lacks, or has with other bounds. */
  readonly undeclared: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<string>
  /** Whether it returns a list in pages. */
  readonly isList: boolean
}

const kinds = ["parameters", "fields", "bounds"] as const

/** Collects what is checked while scenarios run. */
export class Coverage {
  readonly #expected = new Map<string, Expected>()
  readonly #called = new Set<string>()
  readonly #paged = new Set<string>()
  readonly #differing = new Set<string>()
  readonly #done = { parameters: new Set<string>(), fields: new Set<string>(), bounds: new Set<string>() }
  #responses = 0
  #publicResponses = 0
  #clientCalls = 0

  /** Registers the parts of an operation to check. */
  expect(operation: string, expected: Expected): void {
    this.#expected.set(operation, expected)
  }

  /** A success has differed from the public contract as an exception allows. */
  differed(operation: string): void {
    this.#differing.add(operation)
  }

  /** An operation succeeded in a scenario. */
  called(operation: string): void {
    this.#called.add(operation)
  }

  /** A list of two items or more has been read page by page. */
  paged(operation: string): void {
    this.#paged.add(operation)
  }

  /** Whether it has. */
  isPaged(operation: string): boolean {
    return this.#paged.has(operation)
  }

  /** Something of an operation has been checked. Returns false if it had been checked before. */
  done(kind: (typeof kinds)[number], operation: string, name: string): boolean {
    const key = `${operation} ${name}`
    if (this.#done[kind].has(key)) return false
    this.#done[kind].add(key)
    return true
  }

  /** A response has been compared with the server's document, and perhaps with the public contract. */
  responded(isPublic: boolean): void {
    this.#responses++
    if (isPublic) this.#publicResponses++
  }

  /** The official client has made a call. */
  throughClient(): void {
    this.#clientCalls++
  }

  /** The parts that were not checked, a line each; empty if the contract was checked completely. */
  missing(): ReadonlyArray<string> {
    return [...this.#expected].flatMap(([operation, expected]) => {
      const undeclared = expected.undeclared.map((line) => `${operation}: ${line}`)
      if (!this.#called.has(operation)) return [...undeclared, `${operation} was not called`]
      const isUnread = expected.isList && !this.#paged.has(operation)
      const isStale =
        publicExceptions[operation as OperationId] !== undefined && !this.#differing.has(operation)
      return [
        ...undeclared,
        ...(isStale
          ? [`${operation} does not differ from the public contract, so its exception is not needed`]
          : []),
        ...(isUnread ? [`${operation} was never read page by page`] : []),
        ...kinds.flatMap((kind) =>
          expected[kind]
            .filter((name) => !this.#done[kind].has(`${operation} ${name}`))
            .map((name) => `${operation}: ${name} was not ${kind === "bounds" ? "tried" : "sent"}`)
        )
      ]
    })
  }

  /** How much was checked, of the operations of the table. */
  counts(): Counts {
    const expected = [...this.#expected]
    const count = (kind: (typeof kinds)[number]) =>
      expected.reduce(
        (sum, [operation, all]) =>
          sum + all[kind].filter((name) => this.#done[kind].has(`${operation} ${name}`)).length,
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

/** The counts of a run, in a line for people. */
export const summaryOf = (counts: Counts): string =>
  `${counts.operations} operations, ${counts.parameters} query parameters, ${counts.fields} fields of bodies, ` +
  `${counts.bounds} bounds; ${counts.responses} responses as declared, ${counts.publicResponses} of them as the ` +
  `public contract has them, ${counts.clientCalls} through the official client`
