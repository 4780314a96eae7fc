/** Reads JSON that comes from outside. */
import type { InvalidField } from "@lectern/core"
import { Result } from "effect"

/** How deep lists and objects may be nested in a body. Nothing that the API takes comes near it. */
const maxDepth = 200

/** A body of fewer bytes cannot be nested so deep that reading it takes long. */
const minCheckedBytes = 4096

const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Tells before it is parsed whether a text is nested too deep: the parser takes seconds for one of a few megabytes. */
const isTooDeep = (bytes: Uint8Array): boolean => {
  if (bytes.length < minCheckedBytes) return false
  let depth = 0
  let inText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inText) {
      if (byte === backslash) i++
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === openList || byte === openObject) {
      if (++depth > maxDepth) return true
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return false
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const invalidJson = (message: string): Result.Result<never, InvalidField> =>
  Result.fail({ path: "", message })
const malformed = invalidJson("is not well-formed JSON")
const tooDeep = invalidJson("is nested too deep")

/** The value that the bytes of a body say. Where every field may be left out, so may the body: it is an empty object. */
export const readJson = (bytes: Uint8Array): Result.Result<unknown, InvalidField> => {
  if (bytes.length === 0) return Result.succeed({})
  if (isTooDeep(bytes)) return tooDeep
  try {
    return Result.succeed(JSON.parse(utf8.decode(bytes)))
  } catch {
    return malformed
  }
}
