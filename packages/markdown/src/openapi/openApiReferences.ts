/** Helpers to read OpenAPI documents: types, pointers and references. */

/** A JSON object. */
export type Json = { readonly [key: string]: unknown }

/** Whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the value if it is a list, otherwise an empty list. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns the entries of an object, none for other values. */
export const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isObject(value) ? Object.entries(value) : []

/** The HTTP methods of operations, in display order. */
export const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace"] as const

/** Returns the trimmed value if it is a string; otherwise the empty string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

/** Resolves a value if it is a reference; returns other values unchanged. */
export type Resolve = (value: unknown) => unknown

/** The maximum length of a chain of references, so that cycles terminate. */
const longestChain = 20

/** Decodes the percent-encoding of a part of a fragment. Malformed encodings are text. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the value at a JSON pointer such as `/components/schemas/Pet`, or undefined if it does not exist. */
export const valueAt = (document: unknown, pointer: string): unknown => {
  let value = document
  for (const part of pointer.split("/").slice(1)) {
    const key = decodePart(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Json)[key]
  }
  return value
}

/**
 * Creates a function that resolves references within a document, and to other documents by their names. Unresolvable
 * references become undefined. The target of each reference is found once.
 */
export const makeResolve = (document: unknown, files: Json = {}): Resolve => {
  const known = new WeakMap<object, { readonly target: unknown }>()
  const targetOf = (holder: Json, reference: string): unknown => {
    const found = known.get(holder)
    if (found !== undefined) return found.target
    const [file = "", pointer = ""] = reference.split("#", 2)
    const root = file === "" ? document : Object.hasOwn(files, file) ? files[file] : undefined
    const target = valueAt(root, pointer)
    known.set(holder, { target })
    return target
  }
  return (given) => {
    let value = given
    for (let i = 0; i < longestChain && isObject(value) && typeof value.$ref === "string"; i++) {
      value = targetOf(value, value.$ref)
    }
    return value
  }
}
