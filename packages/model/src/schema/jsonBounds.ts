/** The bounds of JSON from untrusted clients: bodies of requests, and claims of tokens. */

/** The maximum nesting depth, far above that of every declared body. Functions that descend into JSON do not exceed the stack. */
export const maximumJsonDepth = 200

/** The maximum number of values. Documents of the maximum size have fewer. */
export const maximumJsonValues = 200_000

/** The bound that JSON exceeds. */
export type JsonExcess = "depth" | "values"

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the bound that JSON in UTF-8 exceeds, without parsing it: `JSON.parse` takes seconds for a few deeply nested megabytes, and each value
 * costs time until it is rejected.
 */
export const excessOfJson = (bytes: Uint8Array): JsonExcess | undefined => {
  if (bytes.length <= maximumJsonDepth) return undefined
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
    } else if (byte === closeList || byte === closeObject) depth--
    else if (byte === comma && ++values >= maximumJsonValues) return "values"
  }
  return undefined
}
