/**
 * Parses filters and paths (RFC 7644, sections 3.4.2.2 and 3.5.2): `userName eq "ada"`, `emails[type eq "work"].value co "@a"`.
 * The length and the depth are bounded, so that a parse is linear and its recursion is shallow.
 */
import { Result } from "effect"
import { badRequest, type ScimError, type ScimType } from "./scimError.ts"

/** The operators that compare an attribute with a value. */
export const comparisonOperators = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const

/** An operator that compares an attribute with a value. */
export type ComparisonOperator = (typeof comparisonOperators)[number]

/** A value in a filter. */
export type FilterValue = string | number | boolean | null

/** A path to an attribute: its name, and for `emails[type eq "work"].value` also a filter of its values and a sub-attribute. */
export interface AttributePath {
  /** The name, with its schema and its sub-attribute if they are before the filter, as in `name.givenName`. */
  readonly name: string
  readonly filter?: Filter
  readonly sub?: string
}

/** A filter. */
export type Filter =
  | { readonly kind: "and" | "or"; readonly filters: ReadonlyArray<Filter> }
  | { readonly kind: "not"; readonly filter: Filter }
  /** The attribute has a value. With a filter, it has one that matches. */
  | { readonly kind: "present"; readonly path: AttributePath }
  | {
      readonly kind: "compare"
      readonly path: AttributePath
      readonly operator: ComparisonOperator
      readonly value: FilterValue
    }

/** The maximum length of a filter or a path, in characters. */
export const maximumFilterLength = 2_000

/** The maximum depth of parentheses, brackets and negations. */
export const maximumFilterDepth = 10

/** The maximum number of tokens of a filter. */
const maximumTokens = 400

const tokenPattern =
  /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.:$-]))|(\.?[A-Za-z$][\w$:.-]*))/y

interface Token {
  readonly kind: "string" | "bracket" | "number" | "word"
  readonly text: string
  /** Whether whitespace is before the token. */
  readonly isSeparate: boolean
}

class Invalid extends Error {}

const fail = (detail: string): never => {
  throw new Invalid(detail)
}

const tokenize = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const trimmed = text.trimEnd()
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < trimmed.length) {
    const start = tokenPattern.lastIndex
    const match = tokenPattern.exec(trimmed)
    if (match === null) return fail(`is not valid at character ${start + 1}`)
    if (tokens.length === maximumTokens) return fail(`must have at most ${maximumTokens} words and values`)
    const [whole, string, bracket, number, word] = match
    const isSeparate = /^\s/.test(whole)
    if (string !== undefined) tokens.push({ kind: "string", text: string, isSeparate })
    else if (bracket !== undefined) tokens.push({ kind: "bracket", text: bracket, isSeparate })
    else if (number !== undefined) tokens.push({ kind: "number", text: number, isSeparate })
    else tokens.push({ kind: "word", text: word!, isSeparate })
  }
  return tokens
}

const isComparison = (text: string): text is ComparisonOperator =>
  (comparisonOperators as ReadonlyArray<string>).includes(text)

/** Parses a filter or a path. It throws {@link Invalid}, which {@link attempt} catches. */
class Parser {
  readonly #tokens: ReadonlyArray<Token>
  #index = 0
  #depth = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  get isAtEnd(): boolean {
    return this.#index === this.#tokens.length
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#index]
  }

  #next(): Token {
    return this.#tokens[this.#index++] ?? fail("ends too early")
  }

  #takes(text: string): boolean {
    const token = this.#peek()
    if (token === undefined || token.kind === "string" || token.text.toLowerCase() !== text) return false
    this.#index += 1
    return true
  }

  #requires(text: string): void {
    if (!this.#takes(text)) fail(`must have \`${text}\` before ${this.#peek()?.text ?? "its end"}`)
  }

  #nested<A>(parse: () => A): A {
    this.#depth += 1
    if (this.#depth > maximumFilterDepth) fail(`must be nested at most ${maximumFilterDepth} times`)
    const result = parse()
    this.#depth -= 1
    return result
  }

  #joined(kind: "and" | "or", parse: () => Filter): Filter {
    const filters = [parse()]
    while (this.#takes(kind)) filters.push(parse())
    return filters.length === 1 ? filters[0]! : { kind, filters }
  }

  filter(): Filter {
    return this.#joined("or", () => this.#joined("and", () => this.#factor()))
  }

  #group(): Filter {
    return this.#nested(() => {
      const filter = this.filter()
      this.#requires(")")
      return filter
    })
  }

  #factor(): Filter {
    if (this.#takes("(")) return this.#group()
    const [token, following] = [this.#peek(), this.#tokens[this.#index + 1]]
    if (token?.text.toLowerCase() === "not" && following?.text === "(") {
      this.#index += 2
      return { kind: "not", filter: this.#group() }
    }
    const path = this.path()
    if (path.filter !== undefined && path.sub === undefined) return { kind: "present", path }
    const operator = this.#next().text.toLowerCase()
    if (operator === "pr") return { kind: "present", path }
    if (!isComparison(operator)) return fail(`has the unknown operator ${operator}`)
    return { kind: "compare", path, operator, value: this.#value() }
  }

  #value(): FilterValue {
    const { kind, text } = this.#next()
    if (kind === "string") return JSON.parse(text) as string
    if (kind === "number") return Number(text)
    if (text === "true" || text === "false") return text === "true"
    return text === "null" ? null : fail(`has ${text} instead of a value`)
  }

  path(): AttributePath {
    const { kind, text } = this.#next()
    if (kind !== "word" || text.startsWith(".")) return fail(`has ${text} instead of an attribute`)
    const bracket = this.#peek()
    if (bracket?.text !== "[" || bracket.isSeparate) return { name: text }
    this.#index += 1
    const filter = this.#nested(() => this.filter())
    this.#requires("]")
    const sub = this.#peek()
    if (sub?.kind !== "word" || sub.isSeparate || !sub.text.startsWith(".")) return { name: text, filter }
    this.#index += 1
    return { name: text, filter, sub: sub.text.slice(1) }
  }
}

const attempt = <A>(
  scimType: ScimType,
  noun: string,
  text: string,
  parse: (parser: Parser) => A
): Result.Result<A, ScimError> => {
  if (text.length > maximumFilterLength) {
    return Result.fail(badRequest(scimType, `The ${noun} must be at most ${maximumFilterLength} characters.`))
  }
  try {
    const parser = new Parser(text)
    const result = parse(parser)
    return parser.isAtEnd ? Result.succeed(result) : fail("has text after its end")
  } catch (error) {
    // `SyntaxError`: a string with an escape sequence that JSON does not have.
    if (!(error instanceof Invalid || error instanceof SyntaxError)) throw error
    const detail = error instanceof Invalid ? error.message : "has a malformed string"
    return Result.fail(badRequest(scimType, `The ${noun} ${detail}.`))
  }
}

/** Parses a filter. */
export const parseFilter = (text: string): Result.Result<Filter, ScimError> =>
  attempt("invalidFilter", "filter", text, (parser) => parser.filter())

/** Parses the path of a PATCH operation. */
export const parsePath = (text: string): Result.Result<AttributePath, ScimError> =>
  attempt("invalidPath", "path", text, (parser) => parser.path())
