/** Writes results as JSON, with their tags. */
import { etagOf } from "./messages/etag.ts"

/** A result as it is sent. */
export interface Encoded {
  readonly body: string | Uint8Array
  /** Its text, where it is asked for. */
  readonly text: () => string
  readonly etag: () => string
}

const encodedValues = new WeakMap<object, Encoded>()

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes a result. One that is frozen is shared by whoever answers it (whole trees of pages are), and stays as it is:
 * it is written once, as bytes, for as long as it is in memory.
 */
export const encode = (value: unknown): Encoded => {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) {
    const body = JSON.stringify(value)
    return { body, text: () => body, etag: () => etagOf(body) }
  }
  const known = encodedValues.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  const etag = etagOf(text)
  const body = encoder.encode(text)
  const encoded: Encoded = { body, text: () => decoder.decode(body), etag: () => etag }
  encodedValues.set(value, encoded)
  return encoded
}
