/** Serializes results as JSON, and caches the JSON of results that services share between responses. */
import { etagOf } from "./messages/etag.ts"

/** A serialized result. */
export interface Encoded {
  /** JSON, as text or as UTF-8. */
  readonly body: string | Uint8Array
  /** Returns the JSON as text. */
  readonly text: () => string
  /** Returns the entity tag of the JSON. */
  readonly etag: () => string
}

const encodedValues = new WeakMap<object, Encoded>()

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The maximum length of cached JSON that is sent as text. */
const maximumTextLength = 4_096

/**
 * Serializes a result. A frozen result never changes and is shared between responses, such as the tree of a revision's
 * pages: its JSON is cached until the result is garbage-collected.
 */
export const encode = (value: unknown): Encoded => {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) {
    const body = JSON.stringify(value)
    return { body, text: () => body, etag: () => etagOf(body) }
  }
  const cached = encodedValues.get(value)
  if (cached !== undefined) return cached
  const json = JSON.stringify(value)
  // Node sends short text in one write with the headers, and bytes in a second one. Long text would be encoded again each time.
  const body = json.length <= maximumTextLength ? json : encoder.encode(json)
  let etag: string | undefined
  const encoded: Encoded = {
    body,
    text: () => (typeof body === "string" ? body : decoder.decode(body)),
    etag: () => {
      etag ??= etagOf(body)
      return etag
    }
  }
  encodedValues.set(value, encoded)
  return encoded
}
