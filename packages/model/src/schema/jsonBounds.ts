/** The bounds of JSON from untrusted clients: bodies of requests, and claims of tokens. */

/** The maximum nesting depth, far above that of every declared body. Functions that descend into JSON do not exceed the stack. */
export const maximumJsonDepth = 200

/** The maximum number of values. Documents of the maximum size have fewer. */
export const maximumJsonValues = 200_000

/** The maximum number of keys of one object: `JSON.parse` takes twice as long for keys that are in one object as for keys in many. */
export const maximumJsonKeys = 20_000

/** The maximum size of JSON. */
export interface JsonBounds {
  /** The maximum number of values, at most {@link maximumJsonValues}. */
  readonly values: number
  /** The maximum number of keys of one object, at most {@link maximumJsonKeys}. */
  readonly keys: number
}

/** The bounds of JSON whose schema does not limit it. */
export const maximumJsonBounds: JsonBounds = { values: maximumJsonValues, keys: maximumJsonKeys }

/** The bound that JSON exceeds. */
export type JsonExcess = "depth" | keyof JsonBounds

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the bound that JSON in UTF-8 exceeds, without parsing it: `JSON.parse` takes seconds for a few deeply nested megabytes, and each value
 * costs time until it is rejected.
 */
export const excessOfJson = (
  bytes: Uint8Array,
  { values: maximumValues, keys: maximumKeys }: JsonBounds = maximumJsonBounds
): JsonExcess | undefined => {
  if (bytes.length <= maximumJsonDepth) return undefined
  const keys = new Uint32Array(maximumJsonDepth + 2)
  let depth = 0
  let values = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openList || byte === openObject) {
      if (++depth > maximumJsonDepth) return "depth"
      keys[depth] = 0
    } else if (byte === closeList || byte === closeObject) depth--
    else if (byte === comma) {
      if (++values >= maximumValues) return "values"
    } else if (byte === colon && ++keys[depth]! > maximumKeys) return "keys"
  }
  return undefined
}
