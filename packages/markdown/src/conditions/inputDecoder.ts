/** Decodes inputs, and parses the expressions in them: their schemas only declare the language of an expression. */

import { type ExpressionLanguage, expressionAnnotation } from "@lectern/model/conditions"
import { type InputDecoder, makeSchemaDecoder } from "@lectern/model/schema"
import { Result, Schema, SchemaAST } from "effect"
import { parseCondition, parseMergeExpression } from "./parseExpression.ts"

const parsers = { condition: parseCondition, "merge-rule": parseMergeExpression }

const syntaxOf = (language: ExpressionLanguage) =>
  Schema.makeFilter((expression: string) => {
    const parsed = parsers[language](expression)
    return Result.isFailure(parsed) ? parsed.failure : undefined
  })

const checked = new WeakMap<SchemaAST.AST, SchemaAST.AST>()

/** A schema of other schemas. Effect's own conversions use this method, which its published types omit. */
interface Composite {
  readonly recur: (convert: (ast: SchemaAST.AST) => SchemaAST.AST) => SchemaAST.AST
}

/** Returns the transformations of a schema, with the checks in the schemas that they decode first. */
const addChecksToEncoding = ([first, ...others]: SchemaAST.Encoding): SchemaAST.Encoding => {
  const convert = ({ to, transformation }: SchemaAST.Link) => new SchemaAST.Link(checkAst(to), transformation)
  return [convert(first), ...others.map(convert)]
}

const addChecks = (ast: SchemaAST.AST): SchemaAST.AST => {
  const language = SchemaAST.resolveAt<ExpressionLanguage>(expressionAnnotation)(ast)
  if (language !== undefined) return (Schema.make(ast) as Schema.Codec<string>).check(syntaxOf(language)).ast
  const converted = "recur" in ast ? (ast as SchemaAST.AST & Composite).recur(checkAst) : ast
  if (ast.encoding === undefined) return converted
  // `recur` removes the transformations, and with them the checks before them, such as that of the depth of documents.
  const copy: SchemaAST.AST = Object.create(Object.getPrototypeOf(converted))
  return Object.assign(copy, converted, { encoding: addChecksToEncoding(ast.encoding) })
}

/** Returns a schema with the syntax of the expressions in it. Each schema is converted once. */
const checkAst = (ast: SchemaAST.AST): SchemaAST.AST => {
  const known = checked.get(ast) ?? addChecks(ast)
  checked.set(ast, known)
  return known
}

/**
 * Creates the decoder of an input, which also rejects expressions that are not in their language. The paths of invalid
 * fields start with `prefix`.
 */
export const makeInputDecoder = (schema: Schema.Top, prefix: ReadonlyArray<string> = []): InputDecoder =>
  makeSchemaDecoder(Schema.make(checkAst(schema.ast)), prefix)
