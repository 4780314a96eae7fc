/** Merges the data of documents: footnotes, and the definitions of links. */
import type { Json, JsonObject } from "../schema/attributes.ts"
import { contentKey } from "./mergeDocuments.ts"

interface Footnote {
  readonly label: string
  readonly nodes: ReadonlyArray<Json>
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  contentKey(one ?? null) === contentKey(other ?? null)

/** Merges three versions of a value. Lists that both versions changed are appended; of other values, that of the writer remains. */
const mergeValues = (
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined
): Json | undefined => {
  if (isSame(base, mine)) return theirs
  if (isSame(base, theirs) || isSame(mine, theirs)) return mine
  if (Array.isArray(mine) && Array.isArray(theirs)) return [...mine, ...theirs]
  if (!isObject(mine) || !isObject(theirs)) return mine ?? theirs
  const before = isObject(base) ? base : {}
  const entries = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) => {
    const merged = mergeValues(before[name], mine[name], theirs[name])
    return merged === undefined ? [] : [[name, merged] as const]
  })
  return Object.fromEntries(entries)
}

const footnotesOf = ({ footnotes }: JsonObject): JsonObject =>
  Object.fromEntries(
    // The prefix keeps the order of labels that are numbers.
    ((footnotes ?? []) as unknown as ReadonlyArray<Footnote>).map(({ label, nodes }) => [`^${label}`, nodes])
  )

/** Merges the data of three versions of a document. Nothing that one of both versions added is lost. */
export const mergeData = (base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject => {
  const [
    { footnotes: _base, ...ofBase },
    { footnotes: _mine, ...ofMine },
    { footnotes: _theirs, ...ofTheirs }
  ] = [base, mine, theirs]
  const merged = (mergeValues(ofBase, ofMine, ofTheirs) ?? {}) as JsonObject
  const notes = (mergeValues(footnotesOf(base), footnotesOf(mine), footnotesOf(theirs)) ?? {}) as JsonObject
  const list = Object.entries(notes).map(([label, nodes]) => ({ label: label.slice(1), nodes }))
  const hadList = mine.footnotes !== undefined || theirs.footnotes !== undefined
  return list.length > 0 || hadList ? { ...merged, footnotes: list } : merged
}
