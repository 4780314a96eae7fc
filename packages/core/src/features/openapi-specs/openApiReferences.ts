/** An OpenAPI document, as whoever reads it needs it. */

/** An object of JSON. */
export type Json = { readonly [key: string]: unknown }

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value where it is a text; else the empty text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

/** What a value is, where it is a reference within the document: what that leads to. */
export type Resolve = (value: unknown) => unknown

/** How many references are followed from one to the next, so that a circle ends. */
const longestChain = 20

/** What is there at a place in a document, as in `#/components/schemas/Pet`; undefined where nothing is. */
export const at = (document: unknown, pointer: string): unknown => {
  let value = document
  for (const part of pointer.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Json)[key]
  }
  return value
}

/** Follows the references within a document. */
export const resolver =
  (document: unknown): Resolve =>
  (given) => {
    let value = given
    for (let i = 0; i < longestChain && isObject(value) && typeof value.$ref === "string"; i++) {
      const reference: string = value.$ref
      if (!reference.startsWith("#")) return undefined
      value = at(document, reference.slice(1))
    }
    return value
  }
