/**
 * Conditions: boolean expressions over the claims of a visitor, which decide whether a part of a site is visible to
 * them. They are a small subset of JavaScript; expressions outside of it are rejected when they are set.
 */
import { text } from "../schema/Text.ts"

/** The binary operators of conditions. */
export const operators = ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "in"] as const
/** A binary operator of conditions. */
export type Operator = (typeof operators)[number]

/** The methods of conditions, each with one argument. */
export const methods = ["includes", "startsWith", "endsWith"] as const
/** A method of conditions. */
export type Method = (typeof methods)[number]

/** The methods of lists whose argument is a function, in languages with names. */
export const listMethods = ["some", "every", "filter"] as const
/** A method of lists whose argument is a function. */
export type ListMethod = (typeof listMethods)[number]

/** A parsed condition, or a part of one. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** The claims of the visitor: `visitor.claims`. */
  | { readonly kind: "claims" }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "binary"
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: "call"; readonly method: Method; readonly on: Expression; readonly argument: Expression }
  /** A name of the scope: of the language, or the parameter of a function. */
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "each"
      readonly method: ListMethod
      readonly on: Expression
      readonly parameter: string
      readonly body: Expression
    }

/** The languages of expressions: of conditions, and of custom merge rules. */
export type ExpressionLanguage = "condition" | "merge-rule"

/** The annotation of strings that are expressions, with their language. Decoders of inputs parse it. */
export const expressionAnnotation = "lectern/expression"

/** The maximum length of an expression in characters (specification, field bounds). */
export const maximumExpressionLength = 1024

/**
 * Returns the schema of an expression of a language: 1 to 1,024 characters. It declares the language only; the decoder of
 * an input also rejects text that is not in the language.
 */
export const expressionText = (language: ExpressionLanguage) =>
  text({ min: 1, max: maximumExpressionLength }).annotate({ [expressionAnnotation]: language })

/** A condition: 1 to 1,024 characters, an expression of the subset. */
export const Condition = expressionText("condition")
