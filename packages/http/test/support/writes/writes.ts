/** Writes, the writers that draw them, and what all kinds of writes are made with. */

import type { OperationId } from "@lectern/harness/operations"

/** What a GET request of a path returns: the value of a field, or its status. */
export interface Fact {
  readonly path: string
  /** The name of a field. With `?`, whether the field exists; `status` with a number is that of the response. */
  readonly field: string
  readonly value: unknown
}

/** A write that has not been sent yet. */
export interface Write {
  readonly method: string
  /** Behind `/v1`. */
  readonly path: string
  readonly body?: unknown
  /** Prefixes of paths about which nothing is certain after the write. */
  readonly makesUncertain?: ReadonlyArray<string>
  /** What is true once it is acknowledged, where that is known before. */
  readonly facts?: ReadonlyArray<Fact>
  /** Records what was created, by the body of the response; returns what is true then. */
  readonly done?: (body: never) => ReadonlyArray<Fact> | undefined
}

/** What has an id. */
export interface Created {
  readonly id: string
}
/** What changed content. */
export interface Revised {
  readonly revision: string
  readonly changes?: ReadonlyArray<{ readonly page?: Created }>
}
/** A page that exists. */
export interface Page {
  readonly space: string
  readonly id: string
}
/** A change request, and the Markdown that it has for pages. */
export interface Proposal {
  readonly space: string
  readonly path: string
  readonly pages: Map<string, string>
}

/** Draws a whole number from 0 to below a bound. */
export type Draw = (below: number) => number

/** What a writer has created, and draws from. */
export interface Writer {
  readonly organization: string
  /** Different for each writer: names begin with it. */
  readonly name: string
  /** A website that serves Markdown under any path, to import from. */
  readonly source: string
  readonly draw: Draw
  /** How many names it has drawn. */
  names: number
  readonly collections: Array<string>
  readonly spaces: Array<string>
  readonly deleted: Array<string>
  readonly pages: Array<Page>
  readonly proposals: Array<Proposal>
  readonly comments: Array<string>
  readonly sites: Array<string>
  readonly people: Array<string>
  readonly teams: Array<string>
  readonly specs: Array<string>
  readonly translations: Array<string>
  readonly integrations: Array<string>
}

/** Makes a writer that has created nothing yet. */
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
  names: 0,
  collections: [],
  spaces: [],
  deleted: [],
  pages: [],
  proposals: [],
  comments: [],
  sites: [],
  people: [],
  teams: [],
  specs: [],
  translations: [],
  integrations: []
})

/** Makes a pseudorandom generator: the same seed draws the same numbers. By the finalizer of MurmurHash3. */
export const makeDraw = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0
    let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return ((value ^ (value >>> 16)) >>> 0) % below
  }
}

/** Decides at random: true in one of so many cases. */
export const oneIn = ({ draw }: Writer, cases: number): boolean => draw(cases) === 0

/** Draws one of the elements; undefined where there is none. */
export const pickOne = <A>({ draw }: Writer, all: ReadonlyArray<A>): A | undefined =>
  all.length === 0 ? undefined : all[draw(all.length)]

/** A name that nothing else has. */
export const uniqueName = (writer: Writer): string => `${writer.name}-${++writer.names}`

/** A fact about a field. */
export const fact = (path: string, field: string, value: unknown): Fact => ({ path, field, value })
/** GET of the path returns 200. */
export const exists = (path: string): Fact => fact(path, "status", 200)
/** GET of the path returns 404. */
export const isMissing = (path: string): Fact => fact(path, "status", 404)

/** Draws a write of one kind; returns undefined where the writer lacks what it needs. */
export type WriteKind = (writer: Writer) => Write | undefined

/** Kinds of writes, by the operation that they call. */
export type WriteKinds = { readonly [Id in OperationId]?: ReadonlyArray<WriteKind> }

/** The path of the organization of a writer. */
export const organizationPath = ({ organization }: Writer): string => `/orgs/${organization}`

/** The path of an id, where there is one. */
export const at = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : prefix + id

/** A text of one to four paragraphs that no other is equal to. */
export const uniqueText = (writer: Writer): string => {
  const lines = Array.from({ length: 1 + writer.draw(4) }, () => `Words of ${uniqueName(writer)}.`)
  return lines.join("\n\n")
}

/** Changes one field of the resource at a path. */
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
