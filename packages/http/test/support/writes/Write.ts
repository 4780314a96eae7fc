/** A write, who draws it, and what all kinds of writes are made with. */

/** Something that can be seen: what a field of the answer to GET is, or its `status`. */
export interface Fact {
  readonly path: string
  /** A name; with `?` whether there is such a field. `status` with a number is that of the answer. */
  readonly field: string
  readonly value: unknown
}

/** A write, that has not been sent yet. */
export interface Write {
  readonly method: string
  /** Behind `/v1`. */
  readonly path: string
  readonly body?: unknown
  /** Beginnings of paths under which it changes more than can be said. */
  readonly blurs?: ReadonlyArray<string>
  /** What is so when it is done, where that is known before. */
  readonly facts?: ReadonlyArray<Fact>
  /** What is so, and what is there to go on with, by what was answered. */
  readonly done?: (body: never) => ReadonlyArray<Fact> | undefined
}

/** What has an id. */
export interface Made {
  readonly id: string
}
/** What changed content. */
export interface Revised {
  readonly revision: string
  readonly changes?: ReadonlyArray<{ readonly page?: Made }>
}
/** A page that is there. */
export interface Page {
  readonly space: string
  readonly id: string
}
/** A change request, and the markdown that it has for pages. */
export interface Proposal {
  readonly space: string
  readonly path: string
  readonly pages: Map<string, string>
}

/** Draws a whole number from 0 to below a bound. */
export type Draw = (below: number) => number

/** What a writer has made, and draws from. */
export interface Writer {
  readonly organization: string
  /** Different for each writer: names begin with it. */
  readonly name: string
  /** Where there is markdown to import, under any path. */
  readonly source: string
  readonly draw: Draw
  made: number
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

/** A writer that has made nothing yet. */
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
  made: 0,
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

/** Draws from a number: the same number draws the same. By the finalizer of MurmurHash3. */
export const drawing = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0
    let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return ((value ^ (value >>> 16)) >>> 0) % below
  }
}

/** One of them; undefined where there is none. */
export const pick = <A>({ draw }: Writer, all: ReadonlyArray<A>): A | undefined =>
  all.length === 0 ? undefined : all[draw(all.length)]

/** A name that nobody has. */
export const fresh = (writer: Writer): string => `${writer.name}-${++writer.made}`

/** See `Fact`. */
export const fact = (path: string, field: string, value: unknown): Fact => ({ path, field, value })
/** There is something at the path. */
export const isThere = (path: string): Fact => fact(path, "status", 200)
/** There is nothing at the path. */
export const isGone = (path: string): Fact => fact(path, "status", 404)

/** A kind of write; undefined where it needs what is not there. */
export type Kind = (writer: Writer) => Write | undefined

/** The path of the organization that it writes in. */
export const organizationOf = ({ organization }: Writer): string => `/orgs/${organization}`

/** The path of what has an id, where there is one. */
export const at = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : prefix + id

/** Text of one to four lines, not the same twice. */
export const text = (writer: Writer): string => {
  const lines = Array.from({ length: 1 + writer.draw(4) }, () => `Words of ${fresh(writer)}.`)
  return lines.join("\n\n")
}

/** Changes one field of what is at a path. */
export const renamed = (
  writer: Writer,
  path: string | undefined,
  method = "PATCH",
  field = "title"
): Write | undefined => {
  if (path === undefined) return undefined
  const value = fresh(writer)
  return { method, path, body: { [field]: value }, facts: [fact(path, field, value)] }
}
