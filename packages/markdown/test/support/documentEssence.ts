/** The meaning of a document, which clients and the parser can represent in different ways. */
import type { JsonDocument } from "@lectern/model/document"

/** A run of text with marks. */
interface AnyLeaf {
  readonly text: string
  readonly marks: ReadonlyArray<unknown>
  readonly data?: unknown
}

const styleOf = ({ text: _, ...style }: AnyLeaf): string => JSON.stringify(style)

/** Joins leaves with the same marks. */
const joinLeaves = (leaves: ReadonlyArray<AnyLeaf>): ReadonlyArray<AnyLeaf> => {
  const joined: Array<AnyLeaf> = []
  for (const leaf of leaves) {
    const last = joined.at(-1)
    if (last === undefined || styleOf(last) !== styleOf(leaf)) joined.push(leaf)
    else joined[joined.length - 1] = { ...last, text: last.text + leaf.text }
  }
  return joined
}

const byLabel = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  [...values].sort((a, b) => (labelOf(a) < labelOf(b) ? -1 : labelOf(a) > labelOf(b) ? 1 : 0))

const labelOf = (value: unknown): string => (value as { readonly label: string }).label.toLowerCase()

const essenceOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(essenceOf)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "key")
      .map(([name, field]) => [
        name,
        name === "leaves"
          ? joinLeaves(field)
          : essenceOf(name === "definitions" || name === "footnotes" ? byLabel(field) : field)
      ])
  )
}

/** Returns a document without keys, with adjacent leaves joined, and with definitions in the order of their labels. */
export const documentEssence = (document: JsonDocument): unknown => essenceOf(document)
