/**
 * Documents: the body of a page as a tree of nodes, equivalent to its Markdown.
 *
 * `fromMarkdown` converts Markdown to a document, `toMarkdown` converts it back, and requests can contain either.
 * Definitions of links and footnotes, which can be anywhere in Markdown, are in `data`, and are written at the end.
 */
import * as Schema from "effect/Schema"
import { resource } from "../../schema/resource.ts"
import { text } from "../../schema/Text.ts"
import { Block } from "./Block.ts"
import { contractFormMark } from "./contractForm.ts"

/** The maximum depth of nodes in the document of a request. */
export const maximumNesting = 50

/**
 * The maximum number of nodes of a document: blocks, inlines, text nodes and leaves. A line break in text counts as a node.
 * Markdown with more nodes is presented as a single code block.
 */
export const maximumNodes = 12_000

/** The maximum number of objects and arrays in a document, which have several per node. */
const maximumValues = 6 * maximumNodes

/**
 * The maximum number of characters outside of code that can start a construct of Markdown. Each is escaped, and costs at
 * least 3 units of the 300,000 that the parser accepts: a document that was read from Markdown never has more.
 */
export const maximumSpecialCharacters = 100_000

/** The maximum number of marks of a leaf. */
const maximumMarks = 50

/**
 * The definition of the URL of reference links with its label. It is written at the end of the Markdown, unless it is
 * `inText`: then a block of HTML contains it already, which would not be parsed as HTML without it.
 */
export class Definition extends resource<Definition>()(
  Schema.Struct({
    label: text({ min: 1 }),
    url: text(),
    title: Schema.optionalKey(text()),
    inText: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** The content of a footnote, which references in the text show. */
export class Footnote extends resource<Footnote>()(
  Schema.Struct({ label: text({ min: 1 }), nodes: Schema.Array(Block) })
) {}

const blockTypes = new Set(
  `paragraph heading-1 heading-2 heading-3 divider code code-line images image table blockquote list-ordered
  list-unordered list-tasks list-item hint tabs tabs-item stepper stepper-step columns column if updates update
  expandable reusable-content embed content-ref file drawing math swagger openapi-operation openapi-webhook
  openapi-schemas integration`.split(/\s+/)
)
const inlineTypes = new Set(
  "link inline-image inline-math emoji icon expression mention button annotation".split(" ")
)
const knownTypes: Record<string, ReadonlySet<string>> = { block: blockTypes, inline: inlineTypes }

const tooManyNodes = [
  { path: [], issue: `must have at most ${maximumNodes} nodes. Longer content can be sent as Markdown` }
]

const tooManySpecialCharacters = [
  {
    path: [],
    issue: `must have at most ${maximumSpecialCharacters} characters that have a meaning in Markdown, such as * and [. Send them in code blocks, or as Markdown`
  }
]

const contractForm = [
  {
    path: ["data", "form"],
    issue:
      "is that of a document for other clients, which lacks details. Read the document as a user, without the header `Lectern-Contract`, to edit it"
  }
]

/** Whether a document is in the form of the public contract, which is not the input of an edit. */
const isContractForm = (input: unknown): boolean => {
  const { data } = (input ?? {}) as { readonly data?: { readonly form?: unknown } | null }
  return data?.form === contractFormMark
}

const specialPattern = /[|[\]*_~`<&\\${@]|www\.|https?:/gi

/** Whether text in leaves has too many characters that are escaped in Markdown. */
const hasTooManySpecialCharacters = (document: unknown): boolean => {
  let count = 0
  const visit = (value: unknown): void => {
    if (count > maximumSpecialCharacters || typeof value !== "object" || value === null) return
    const { object, type, text, marks } = value as Readonly<Record<string, unknown>>
    if (type === "code-line") return
    const isCode =
      Array.isArray(marks) && marks.some((mark: { readonly type?: unknown } | null) => mark?.type === "code")
    if (object === "leaf" && typeof text === "string" && !isCode) {
      specialPattern.lastIndex = 0
      while (count <= maximumSpecialCharacters && specialPattern.test(text)) count++
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(document)
  return count > maximumSpecialCharacters
}

const countLineFeeds = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** The size of a part of a document. */
export interface DocumentSize {
  /** The number of nodes, and of line breaks in text. */
  readonly nodes: number
  /** The number of objects and arrays. */
  readonly values: number
}

/** Whether a size exceeds the maximum of documents. */
export const isTooLarge = ({ nodes, values }: DocumentSize): boolean =>
  nodes > maximumNodes || values > maximumValues

/** Measures a document or a part of it. It visits about `maximumValues` objects and arrays, and then stops. */
export const sizeOfDocument = (document: unknown): DocumentSize => {
  const pending: Array<{ readonly value: unknown; readonly isCode: boolean }> = [
    { value: document, isCode: false }
  ]
  let [values, nodes] = [0, 0]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at.value !== "object" || at.value === null) continue
    values++
    const children = Object.values(at.value).filter((value) => typeof value === "object" && value !== null)
    if (isTooLarge({ nodes, values: values + pending.length + children.length })) {
      return { nodes, values: Number.POSITIVE_INFINITY }
    }
    const { object, type, text } = at.value as Readonly<Record<string, unknown>>
    if (typeof object === "string" && object !== "mark") nodes++
    if (object === "leaf" && typeof text === "string" && !at.isCode) nodes += countLineFeeds(text)
    const isCode = at.isCode || type === "code-line"
    for (const value of children) pending.push({ value, isCode })
  }
  return { nodes, values }
}

/** Returns whether a document has too many nodes. */
export const hasTooManyNodes = (document: unknown): boolean => isTooLarge(sizeOfDocument(document))

/**
 * Validates the size of documents, and the depth and the types of nodes, iteratively and before the schemas: these would overflow the stack on
 * deep documents, and would list all types of nodes in the error for an unknown one.
 */
const shape = Schema.makeFilter((input: unknown) => {
  if (isContractForm(input)) return contractForm
  if (hasTooManyNodes(input)) return tooManyNodes
  const issues: Array<{ path: ReadonlyArray<PropertyKey>; issue: string }> = []
  const pending: Array<{ value: unknown; path: ReadonlyArray<PropertyKey>; depth: number }> = [
    { value: input, path: [], depth: 0 }
  ]
  for (let at = pending.pop(); at !== undefined && issues.length < 20; at = pending.pop()) {
    if (typeof at.value !== "object" || at.value === null) continue
    const { object, type, marks } = at.value as Readonly<Record<string, unknown>>
    if (Array.isArray(marks) && marks.length > maximumMarks) {
      issues.push({ path: [...at.path, "marks"], issue: `must have at most ${maximumMarks} entries` })
      continue
    }
    const types =
      typeof object === "string" && Object.hasOwn(knownTypes, object) ? knownTypes[object] : undefined
    if (types !== undefined && typeof type === "string" && !types.has(type)) {
      issues.push({ path: [...at.path, "type"], issue: "must be a node type that Markdown supports" })
      continue
    }
    if (at.depth > maximumNesting) {
      return [{ path: at.path, issue: `must be nested at most ${maximumNesting} levels deep` }]
    }
    for (const [name, value] of Object.entries(at.value)) {
      if (typeof value !== "object" || value === null) continue
      // Only nodes add a level, not arrays and objects of fields.
      const deeper = typeof (value as { readonly object?: unknown }).object === "string" ? 1 : 0
      const path = [...at.path, Array.isArray(at.value) ? Number(name) : name]
      if (path.length > maximumNesting * 4) {
        return [{ path: [], issue: `must be nested at most ${maximumNesting} levels deep` }]
      }
      pending.push({ value, path, depth: at.depth + deeper })
    }
  }
  if (issues.length > 0) return issues
  // Recursive: the depth has been checked.
  return hasTooManySpecialCharacters(input) ? tooManySpecialCharacters : undefined
})

class DocumentNode extends resource<DocumentNode>()(
  Schema.Struct({
    object: Schema.Literal("document"),
    data: Schema.Struct({
      schemaVersion: Schema.optionalKey(Schema.Int),
      definitions: Schema.optionalKey(Schema.Array(Definition)),
      footnotes: Schema.optionalKey(Schema.Array(Footnote))
    }),
    nodes: Schema.Array(Block)
  })
) {}

/** A document. */
export interface JsonDocument extends DocumentNode {}
/** A document. */
export const JsonDocument: Schema.Codec<JsonDocument, unknown> = Schema.Unknown.check(shape)
  .pipe(Schema.decodeTo(DocumentNode))
  .annotate({ identifier: "JSONDocument", description: "The content of a page, as a tree of nodes." })
