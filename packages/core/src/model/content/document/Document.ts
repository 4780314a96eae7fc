/**
 * A page's content as a document: the same as its markdown, for programs (D7).
 *
 * It is what `fromMarkdown` makes, and what callers may give in place of markdown; `toMarkdown` takes it back.
 * Definitions of links and footnotes, which stand anywhere in a text, are in `data`, and go to the text's end.
 */
import { Schema } from "effect"
import { resource } from "../../../kernel/schema/resource.ts"
import { text } from "../../../kernel/schema/Text.ts"
import { Block } from "./Block.ts"

/** How deep the nodes of a document from outside may be nested. */
export const maximumNesting = 50

/**
 * The address that links of reference style get by its label. It is written at the end of the text, or, `inText`, it
 * is already there: in a block of HTML that would not be one without it.
 */
export class Definition extends resource<Definition>()(
  Schema.Struct({
    label: text({ min: 1 }),
    url: text(),
    title: Schema.optionalKey(text()),
    inText: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** What the calls of a footnote show. */
export class Footnote extends resource<Footnote>()(
  Schema.Struct({ label: text({ min: 1 }), nodes: Schema.Array(Block) })
) {}

const blockTypes = new Set(
  `paragraph heading-1 heading-2 heading-3 divider code code-line images image reusable-content table blockquote
  list-ordered list-unordered list-tasks list-item`.split(/\s+/)
)
const inlineTypes = new Set(["link", "inline-image"])
const knownTypes: Record<string, ReadonlySet<string>> = { block: blockTypes, inline: inlineTypes }

/**
 * What is wrong with the nodes as a whole: nested too deep, or of a type that markdown cannot say. It is looked at
 * first, without recursion: the schemas would end the call stack on the one, and list all they know for the other.
 */
const shape = Schema.makeFilter((input: unknown) => {
  const issues: Array<{ path: ReadonlyArray<PropertyKey>; issue: string }> = []
  const pending: Array<{ value: unknown; path: ReadonlyArray<PropertyKey>; depth: number }> = [
    { value: input, path: [], depth: 0 }
  ]
  for (let at = pending.pop(); at !== undefined && issues.length < 20; at = pending.pop()) {
    if (typeof at.value !== "object" || at.value === null) continue
    const { object, type } = at.value as { readonly object?: unknown; readonly type?: unknown }
    const types =
      typeof object === "string" && Object.hasOwn(knownTypes, object) ? knownTypes[object] : undefined
    if (types !== undefined && typeof type === "string" && !types.has(type)) {
      issues.push({ path: [...at.path, "type"], issue: "must be a type of node that markdown can say" })
      continue
    }
    if (at.depth > maximumNesting) {
      return [{ path: at.path, issue: `must be nested at most ${maximumNesting} deep` }]
    }
    for (const [name, value] of Object.entries(at.value)) {
      if (typeof value !== "object" || value === null) continue
      // Arrays and bags of fields are no level of their own; a node is.
      const deeper = typeof (value as { readonly object?: unknown }).object === "string" ? 1 : 0
      const path = [...at.path, Array.isArray(at.value) ? Number(name) : name]
      if (path.length > maximumNesting * 4) {
        return [{ path: [], issue: `must be nested at most ${maximumNesting} deep` }]
      }
      pending.push({ value, path, depth: at.depth + deeper })
    }
  }
  return issues.length === 0 ? undefined : issues
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
