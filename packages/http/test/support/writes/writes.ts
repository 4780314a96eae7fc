/** Writes, the writers that generate them, and helpers for all kinds of writes. */

import type { OperationId } from "@lectern/harness/operations"

/** The expected result of a GET request: the value of a field, or the status. */
export interface Fact {
  readonly path: string
  /** The name of a field. With the suffix `?`, whether the field exists; `status` with a number is the response status. */
  readonly field: string
  readonly value: unknown
}

/** A write that has not been sent yet. */
export interface Write {
  readonly method: string
  /** The path after `/v1`. */
  readonly path: string
  readonly body?: unknown
  /** Prefixes of paths whose facts are unknown after the write. */
  readonly makesUncertain?: ReadonlyArray<string>
  /** Facts that hold once the write is acknowledged and do not depend on its response. */
  readonly facts?: ReadonlyArray<Fact>
  /** Records the created resources from the body of the response; returns further facts. */
  readonly done?: (body: never) => ReadonlyArray<Fact> | undefined
}

/** A created resource. */
export interface Created {
  readonly id: string
}
/** The response to a change of content. */
export interface Revised {
  readonly revision: string
  readonly changes?: ReadonlyArray<{ readonly page?: Created }>
}
/** An existing page. */
export interface Page {
  readonly space: string
  readonly id: string
}
/** A change request, with the Markdown of the pages that it changes. */
export interface Proposal {
  readonly space: string
  readonly path: string
  readonly pages: Map<string, string>
}

/** Generates an integer from 0 to below a bound. */
export type Draw = (below: number) => number

/** The state of a writer: the resources that it has created, on which its next writes depend. */
export interface Writer {
  readonly organization: string
  /** The unique prefix of the names of its resources. */
  readonly name: string
  /** A website that serves Markdown under any path, to import from. */
  readonly source: string
  readonly draw: Draw
  /** The number of names that it has generated. */
  nameCount: number
  readonly collections: Array<string>
  readonly spaces: Array<string>
  readonly deleted: Array<string>
  readonly pages: Array<Page>
  readonly proposals: Array<Proposal>
  readonly comments: Array<string>
  readonly sites: Array<string>
  readonly users: Array<string>
  readonly teams: Array<string>
  readonly specs: Array<string>
  readonly translations: Array<string>
  readonly integrations: Array<string>
}

/** Creates a writer without resources. */
export const makeWriter = (
  organization: string,
  name: string,
  draw: Draw,
  source = "https://example.com"
): Writer => ({
  organization,
  name,
  draw,
  source,
  nameCount: 0,
  collections: [],
  spaces: [],
  deleted: [],
  pages: [],
  proposals: [],
  comments: [],
  sites: [],
  users: [],
  teams: [],
  specs: [],
  translations: [],
  integrations: []
})

/** Creates a pseudorandom generator from a seed, by the finalizer of MurmurHash3. */
export const makeDraw = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0
    let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return ((value ^ (value >>> 16)) >>> 0) % below
  }
}

/** True in one of `cases` cases, at random. */
export const oneIn = ({ draw }: Writer, cases: number): boolean => draw(cases) === 0

/** Selects one of the elements at random; undefined if the list is empty. */
export const pickOne = <A>({ draw }: Writer, all: ReadonlyArray<A>): A | undefined =>
  all.length === 0 ? undefined : all[draw(all.length)]

/** A unique name. */
export const uniqueName = (writer: Writer): string => `${writer.name}-${++writer.nameCount}`

/** The fact that a field has a value. */
export const fact = (path: string, field: string, value: unknown): Fact => ({ path, field, value })
/** The fact that GET of the path returns 200. */
export const exists = (path: string): Fact => fact(path, "status", 200)
/** The fact that GET of the path returns 404. */
export const isMissing = (path: string): Fact => fact(path, "status", 404)

/** Generates a write of one kind; returns undefined if the writer has no resource that it requires. */
export type WriteKind = (writer: Writer) => Write | undefined

/** Kinds of writes, by the operation that they call. */
export type WriteKinds = { readonly [Id in OperationId]?: ReadonlyArray<WriteKind> }

/** The path of the organization of a writer. */
export const organizationPath = ({ organization }: Writer): string => `/orgs/${organization}`

/** The path of an id; undefined without an id. */
export const pathOf = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : prefix + id

/** A unique text of one to four paragraphs. */
export const uniqueText = (writer: Writer): string => {
  const lines = Array.from({ length: 1 + writer.draw(4) }, () => `Words of ${uniqueName(writer)}.`)
  return lines.join("\n\n")
}

/** A write that changes one field of the resource at a path. */
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
