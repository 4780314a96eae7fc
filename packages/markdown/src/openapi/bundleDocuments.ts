/** Joins the documents of a spec to one, so that every reference is a pointer within it. */
import { isObject, type Json } from "./openApiReferences.ts"

/** The property of the bundle that has the other documents, by their names. */
const documentsKey = "x-documents"

/** The maximum nesting of values whose references are rewritten. */
const maximumDepth = 500

const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1")

/**
 * Joins documents by their names; the first one is the main document. Other documents become properties of `x-documents`.
 * `nameOf` returns the name of the document that a reference leads to, by the name of the document that contains it.
 */
export const bundleDocuments = (
  documents: ReadonlyMap<string, unknown>,
  nameOf: (from: string, file: string) => string | undefined = (_, file) =>
    documents.has(file) ? file : undefined
): unknown => {
  const [main] = documents
  if (main === undefined || documents.size === 1 || !isObject(main[1])) return main?.[1]
  const pointerTo = (name: string, pointer: string): string =>
    name === main[0]
      ? `#${pointer}`
      : `#/${documentsKey}/${encodeURIComponent(escapePointer(name))}${pointer}`
  const rewrite = (value: unknown, from: string, depth: number): unknown => {
    if (depth > maximumDepth || typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map((one) => rewrite(one, from, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => {
        if (key !== "$ref" || typeof inside !== "string") return [key, rewrite(inside, from, depth + 1)]
        const [file = "", pointer = ""] = inside.split("#", 2)
        const name = file === "" ? from : nameOf(from, file)
        return [key, name === undefined ? inside : pointerTo(name, pointer)]
      })
    )
  }
  const others: Json = Object.fromEntries(
    [...documents].slice(1).map(([name, document]) => [name, rewrite(document, name, 0)])
  )
  return { ...(rewrite(main[1], main[0], 0) as Json), [documentsKey]: others }
}
