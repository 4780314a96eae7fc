/** Converts schema issues to the invalid fields of an `InvalidInput`. */
import { SchemaIssue } from "effect"
import type { InvalidField } from "../errors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The maximum number of invalid fields that an error reports. */
export const maximumDetails = 100

/** Returns each invalid field of an issue once, at most 100, with its path under `prefix`. */
export const fieldsOf = (
  issue: SchemaIssue.Issue,
  prefix: ReadonlyArray<string> = []
): ReadonlyArray<InvalidField> => {
  const fields = new Map<string, InvalidField>()
  for (const { message, path } of format(issue).issues) {
    const at = [
      ...prefix,
      ...(path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
    ].join(".")
    if (!fields.has(at)) fields.set(at, { path: at, message: sentence(message) })
    if (fields.size === maximumDetails) break
  }
  return [...fields.values()]
}

/** Rewrites the formatter's "Expected X, got Y" without Y, which may be long or secret. */
const sentence = (message: string): string => {
  if (message === "Missing key") return "is required"
  const expected = /^Expected (.*?)(, (got|actual) [\s\S]*)?$/.exec(message)
  if (expected === null) return message
  const what = expected[1]!
    // The formatter writes objects as TypeScript types, which mean nothing to clients.
    .replaceAll(/\{ (?:readonly|\[x: string\])[^{}]*\}/g, "an object of another shape")
    .replaceAll(" | ", " or ")
    .replace("a string representing a finite number", "a number")
  return `must be ${what}`
}
