/** Parses JSON from untrusted clients. */
import type { InvalidField } from "@lectern/core"
import { Result } from "effect"

/** The maximum nesting depth of a body, far above that of every declared body. */
const maxDepth = 200

/** The maximum number of values in a body. Documents of the maximum size have fewer. */
const maxValues = 200_000

/** Smaller bodies can be neither too deep nor too large. */
const minCheckedBytes = maxDepth

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const invalidJson = (message: string): Result.Result<never, InvalidField> =>
  Result.fail({ path: "", message })
const malformed = invalidJson("is not valid JSON")
const notUtf8 = invalidJson("is not valid UTF-8")
const tooDeep = invalidJson(`is nested more than ${maxDepth} levels deep`)
const tooMany = invalidJson(`has more than ${maxValues.toLocaleString("en")} values`)

/**
 * Returns the error of a body that is nested too deeply or has too many values. Checked before parsing: `JSON.parse` takes seconds
 * for a few deeply nested megabytes, and each value costs time until it is rejected.
 */
const structureError = (bytes: Uint8Array): typeof malformed | undefined => {
  if (bytes.length < minCheckedBytes) return undefined
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
      if (++depth > maxDepth) return tooDeep
    } else if (byte === closeList || byte === closeObject) depth--
    else if (byte === comma && ++values >= maxValues) return tooMany
  }
  return undefined
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Returns the error of text that is not JSON, with the position of the first error. V8 reports it in its message. */
const locateSyntaxError = (text: string, cause: unknown): typeof malformed => {
  const message = cause instanceof Error ? cause.message : ""
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position === undefined) {
    const [, token] = /^Unexpected token '(.)'/su.exec(message) ?? []
    if (token !== undefined) return invalidJson(`is not valid JSON: the character ${token} is unexpected`)
    return message.startsWith("Unexpected end")
      ? invalidJson("is not valid JSON: it ends too early")
      : malformed
  }
  const before = text.slice(0, Number(position))
  const line = before.split("\n").length
  const column = before.length - before.lastIndexOf("\n")
  return invalidJson(`is not valid JSON: the first error is at line ${line}, column ${column}`)
}

/** Parses a body. An empty one is an empty object, because a body whose fields are all optional can be omitted. */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, InvalidField> => {
  if (bytes.length === 0) return Result.succeed({})
  const error = structureError(bytes)
  if (error !== undefined) return error
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return notUtf8
  }
  try {
    return Result.succeed(JSON.parse(text))
  } catch (cause) {
    return locateSyntaxError(text, cause)
  }
}
