/** The prose of a TypeScript file: comments, strings and titles of tests. */
import { type Comment, type Program, parseSync, Visitor } from "oxc-parser"
import { hideCode, type Passage } from "./Passage.ts"

/** A parsed source file. */
export interface ParsedSource {
  readonly file: string
  readonly text: string
  readonly program: Program
  readonly comments: ReadonlyArray<Comment>
}

/** Parses a source file. Throws if it does not parse. */
export const parseSource = (file: string, text: string): ParsedSource => {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]!.message}`)
  return { file, text, program, comments }
}

/** Functions whose first argument is the title of a test. */
const titleFunctions = /^(it|test|describe|property|scenario|suite|bench)$/

/** A string reads as prose if it has three words with spaces between them. It may have placeholders. */
const isProse = (text: string): boolean => /[A-Za-z]{2,}[,;:]? [A-Za-z]+[,;:]? [A-Za-z]+/.test(text)

/** The doctor's checks name the decision that they verify in a string of their own. */
const isCitation = (text: string): boolean => /^D(5a|1[0-4]|[1-9])$/.test(text)

const isDirective = (comment: string): boolean =>
  /^\s*(biome-ignore|@vitest|@ts-|#__PURE__|eslint|c8|v8)/.test(comment)

/** Blanks out the marks that start comments and their lines, without changing the length. */
const blankCommentMarks = (text: string): string =>
  text
    .replaceAll(/^\s*(\/\*\*?|\/\/|\*(?!\/))/gm, (mark) => mark.replaceAll(/[/*]/g, " "))
    .replace(/\*\/$/, "  ")

interface Span {
  readonly start: number
  readonly end: number
  readonly kind: "doc" | "comment"
}

/** Comments of a file. Consecutive line comments are one passage. */
const commentSpans = ({ text, comments }: ParsedSource): ReadonlyArray<Span> => {
  const spans: Array<Span & { readonly isLine: boolean }> = []
  for (const { type, value, start, end } of comments) {
    if (isDirective(value)) continue
    const last = spans.at(-1)
    if (type === "Line" && last?.isLine === true && /^\n[ \t]*$/.test(text.slice(last.end, start))) {
      spans[spans.length - 1] = { ...last, end }
    } else {
      const kind = type === "Block" && value.startsWith("*") ? "doc" : "comment"
      spans.push({ start, end, kind, isLine: type === "Line" })
    }
  }
  return spans
}

interface TextSpan {
  readonly start: number
  readonly end: number
  readonly isTitle: boolean
}

const calleeName = (callee: { readonly type: string }): string | undefined => {
  let current = callee as { type: string; name?: string; object?: typeof callee; callee?: typeof callee }
  for (;;) {
    if (current.type === "Identifier") return current.name
    const next = current.type === "MemberExpression" ? current.object : current.callee
    if (next === undefined) return undefined
    current = next
  }
}

/** Strings and templates of a file that read as prose. */
const textSpans = ({ program, text }: ParsedSource): ReadonlyArray<TextSpan> => {
  const spans: Array<TextSpan> = []
  const titles = new Set<number>()
  const modules = new Set<number>()
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = calleeName(callee)
      if (first !== undefined && name !== undefined && titleFunctions.test(name)) titles.add(first.start)
    },
    ImportDeclaration: ({ source }) => {
      modules.add(source.start)
    },
    Literal: ({ value, start, end }) => {
      if (typeof value !== "string" || modules.has(start) || !(isProse(value) || isCitation(value))) return
      spans.push({ start, end, isTitle: titles.has(start) })
    },
    TemplateLiteral: ({ start, end }) => {
      if (isProse(text.slice(start, end))) spans.push({ start, end, isTitle: titles.has(start) })
    }
  }).visit(program)
  return spans
}

const blankPlaceholders = (text: string): string =>
  text.replaceAll(/\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, (code) => code.replaceAll(/[^\n]/g, "_"))

/** How a source file is read. */
export interface SourceScope {
  /** Whether its strings are messages that users read, in addition to the titles of tests. */
  readonly hasMessages: boolean
  /** Returns whether a comment that starts at an offset documents something public. */
  readonly isPublicComment: (start: number) => boolean
  /** Whether its strings are read by users. */
  readonly isPublicText: boolean
}

/** The prose of a source file. */
export const sourcePassages = (source: ParsedSource, scope: SourceScope): ReadonlyArray<Passage> => {
  const { file, text } = source
  const passages: Array<Passage> = []
  for (const { start, end, kind } of commentSpans(source)) {
    const prose = hideCode(blankCommentMarks(text.slice(start, end)))
    passages.push({ file, kind, isPublic: kind === "doc" && scope.isPublicComment(start), prose, start })
  }
  for (const { start, end, isTitle } of textSpans(source)) {
    if (!isTitle && !scope.hasMessages) continue
    const prose = blankPlaceholders(text.slice(start, end))
    passages.push({
      file,
      kind: isTitle ? "title" : "text",
      isPublic: !isTitle && scope.isPublicText,
      prose,
      start
    })
  }
  return passages
}
