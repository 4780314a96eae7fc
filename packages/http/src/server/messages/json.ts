/** Parses JSON from untrusted clients. */
import type { InvalidField } from "@lectern/core"
import { excessOfJson, type JsonBounds, type JsonExcess, maximumJsonDepth } from "@lectern/model/schema"
import { Result } from "effect"

const invalidJson = (message: string): Result.Result<never, InvalidField> =>
  Result.fail({ path: "", message })
const malformed = invalidJson("is not valid JSON")
const notUtf8 = invalidJson("is not valid UTF-8")

/** Returns the message for JSON that exceeds a bound. */
const messageOf = (excess: JsonExcess, { values, keys }: JsonBounds): string => {
  switch (excess) {
    case "depth":
      return `is nested more than ${maximumJsonDepth} levels deep`
    case "values":
      return `has more than ${values.toLocaleString("en")} values`
    case "keys":
      return `has an object with more than ${keys.toLocaleString("en")} keys`
  }
}

/** Returns the error of a body that exceeds bounds; undefined if it is within them. */
export const excessOf = (bytes: Uint8Array, bounds: JsonBounds): string | undefined => {
  const excess = excessOfJson(bytes, bounds)
  return excess === undefined ? undefined : messageOf(excess, bounds)
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

/** Parses a body within the bounds of its schema. An empty one is an empty object, because a body whose fields are all optional can be omitted. */
export const parseJson = (bytes: Uint8Array, bounds: JsonBounds): Result.Result<unknown, InvalidField> => {
  if (bytes.length === 0) return Result.succeed({})
  const excess = excessOf(bytes, bounds)
  return excess === undefined ? parseWithinBounds(bytes) : invalidJson(excess)
}

/** Parses a body whose size {@link excessOf} has examined. */
export const parseWithinBounds = (bytes: Uint8Array): Result.Result<unknown, InvalidField> => {
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
