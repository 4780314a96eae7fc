/** Converts schema issues to the invalid fields of an `InvalidInput`. */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import type { InvalidField } from "../errors/errors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The maximum number of invalid fields that an error reports. */
export const maximumDetails = 100

/** Returns each invalid field of an issue once, at most 100, with its path under `prefix`. */
export const fieldsOf = (
  issue: SchemaIssue.Issue,
  prefix: ReadonlyArray<string> = []
): ReadonlyArray<InvalidField> => {
  const fields = new Map<string, InvalidField>()
  const types = describeTypes(issue)
  for (const { message, path } of format(issue).issues) {
    const at = [
      ...prefix,
      ...(path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
    ].join(".")
    if (!fields.has(at)) fields.set(at, { path: at, message: sentence(message, types) })
    if (fields.size === maximumDetails) break
  }
  return [...fields.values()]
}

/** Describes a type in words, or returns `undefined` if it has no short description. */
const describeType = (ast: SchemaAST.AST): string | undefined => {
  if (SchemaAST.isObjects(ast)) return "an object"
  if (SchemaAST.isArrays(ast)) return "an array"
  if (SchemaAST.isString(ast)) return "a string"
  if (!SchemaAST.isUnion(ast) || !ast.types.every(SchemaAST.isLiteral)) return undefined
  return ast.types.map(({ literal }) => JSON.stringify(literal)).join(" or ")
}

/**
 * Returns descriptions of the named types that an issue expects. The formatter writes their names, which exist only in the
 * sources and in the OpenAPI document.
 */
const describeTypes = (issue: SchemaIssue.Issue): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  const visit = (current: SchemaIssue.Issue): void => {
    if ("ast" in current) {
      const name = current.ast.annotations?.identifier
      const type = describeType(current.ast)
      if (typeof name === "string" && type !== undefined) types.set(name, type)
    }
    if ("issue" in current) visit(current.issue)
    if ("issues" in current) current.issues.forEach(visit)
  }
  visit(issue)
  return types
}

/** Describes an object that the formatter has written as a TypeScript type: by its first property, if its value is a constant. */
const describeObject = (type: string): string => {
  const [, key, value] = /^\{ readonly "(\w+)": ("[^"]*")/.exec(type) ?? []
  return key === undefined ? "an object of another shape" : `an object with the ${key} ${value}`
}

/** Joins alternatives, without repeating the same one or the same beginning. */
const joinAlternatives = (types: ReadonlyArray<string>): string =>
  [...new Set(types)].reduce((joined, type) => {
    const [beginning] = /^an object with the \w+ (?=")/.exec(type) ?? []
    const isContinued = beginning !== undefined && joined.includes(beginning)
    return `${joined} or ${isContinued ? type.slice(beginning.length) : type}`
  })

/** Rewrites the formatter's "Expected X, got Y" without Y, which may be long or secret. */
const sentence = (message: string, named: ReadonlyMap<string, string>): string => {
  if (message === "Missing key") return "is required"
  const expected = /^Expected (.*?)(, (got|actual) [\s\S]*)?$/.exec(message)
  if (expected === null) return message
  const type =
    named.get(expected[1]!) ??
    (/^(string|number|boolean)$/.test(expected[1]!) ? `a ${expected[1]}` : undefined)
  if (type !== undefined) return `must be ${type}`
  const types = expected[1]!
    // The formatter writes objects as TypeScript types, which mean nothing to clients.
    .replaceAll(/\{ (?:readonly|\[x: string\])[^{}]*\}/g, describeObject)
    .replace("a string representing a finite number", "a number")
    .split(" | ")
  return `must be ${joinAlternatives(types)}`
}
