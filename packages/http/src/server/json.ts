/** Parses JSON from untrusted clients. */
import type { InvalidField } from "@lectern/core"
import { Result } from "effect"

/** The maximum nesting depth of a body, far above that of every declared body. */
const maxDepth = 200

/** The depth of smaller bodies is not checked, because they parse fast at any depth. */
const minCheckedBytes = 4096

const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a body is nested too deeply. Checked before parsing: `JSON.parse` takes seconds for a few deeply nested megabytes. */
const isTooDeep = (bytes: Uint8Array): boolean => {
  if (bytes.length < minCheckedBytes) return false
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openList || byte === openObject) {
      if (++depth > maxDepth) return true
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return false
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const invalidJson = (message: string): Result.Result<never, InvalidField> =>
  Result.fail({ path: "", message })
const malformed = invalidJson("is not valid JSON")
const tooDeep = invalidJson(`is nested more than ${maxDepth} levels deep`)

/** Parses a body. An empty one is an empty object, because a body whose fields are all optional can be omitted. */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, InvalidField> => {
  if (bytes.length === 0) return Result.succeed({})
  if (isTooDeep(bytes)) return tooDeep
  try {
    return Result.succeed(JSON.parse(utf8.decode(bytes)))
  } catch {
    return malformed
  }
}
