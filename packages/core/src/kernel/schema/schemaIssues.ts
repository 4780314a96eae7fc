/** What is wrong with an input, in words for the one who sent it. */
import { SchemaIssue } from "effect"
import type { InvalidField } from "../errors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Each wrong field of an issue with its path, under the prefix, once. */
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
  }
  return [...fields.values()]
}

/** The formatter says "Expected X, got Y"; what came in is not repeated, for it may be long, or secret. */
const sentence = (message: string): string => {
  if (message === "Missing key") return "is required"
  const expected = /^Expected (.*?)(, (got|actual) [\s\S]*)?$/.exec(message)
  if (expected === null) return message
  const what = expected[1]!
    // Objects are written as their types, which nobody outside knows.
    .replaceAll(/\{ (?:readonly|\[x: string\])[^{}]*\}/g, "an object of another form")
    .replaceAll(" | ", " or ")
    .replace("a string representing a finite number", "a number")
  return `must be ${what}`
}
