/** Colors code and typesets formulas. It runs in a thread, because both can take long for adversarial input. */
import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from "@shikijs/core"
import { createOnigurumaEngine } from "@shikijs/engine-oniguruma"
import { hasGrammar, readGrammars } from "./grammars.ts"
import type { Piece, RenderedPiece } from "./protocol.ts"
import { renderImage } from "./renderImage.ts"

/** The classes of colors, by the scopes of grammars. The style sheet defines the colors for both themes. */
const scopesByClass: Readonly<Record<string, ReadonlyArray<string>>> = {
  "t-comment": ["comment", "punctuation.definition.comment", "string.comment"],
  "t-string": [
    "string",
    "string.quoted",
    "string.template",
    "punctuation.definition.string",
    "markup.inline.raw",
    "constant.other.symbol",
    "string.unquoted.plain.out.yaml"
  ],
  "t-number": [
    "constant.numeric",
    "constant.language",
    "constant.character",
    "constant.other",
    "variable.language",
    "keyword.other.unit"
  ],
  "t-keyword": [
    "keyword",
    "storage",
    "storage.type",
    "storage.modifier",
    "keyword.control",
    "keyword.operator.new",
    "keyword.operator.expression",
    "markup.heading",
    "punctuation.definition.heading"
  ],
  "t-function": [
    "entity.name.function",
    "support.function",
    "meta.function-call entity.name.function",
    "entity.name.command",
    "variable.function"
  ],
  "t-type": [
    "entity.name.type",
    "entity.name.class",
    "support.type",
    "support.class",
    "entity.other.inherited-class",
    "entity.name.namespace"
  ],
  "t-tag": [
    "entity.name.tag",
    "entity.name.section",
    "punctuation.definition.tag",
    "meta.property-name",
    "support.type.property-name",
    "entity.name.tag.yaml"
  ],
  "t-attribute": [
    "entity.other.attribute-name",
    "variable.parameter",
    "meta.object-literal.key",
    "variable.other.property",
    "variable.other.object.property"
  ],
  "t-operator": ["keyword.operator", "punctuation", "meta.brace"],
  "t-inserted": ["markup.inserted", "punctuation.definition.inserted"],
  "t-deleted": ["markup.deleted", "punctuation.definition.deleted"]
}

const classNames = Object.keys(scopesByClass)

/** A color that names a class: themes have colors, and pages have classes. */
const colorOf = (index: number): string => `#0000${(index + 1).toString(16).padStart(2, "0")}`
const classOfColor = new Map(classNames.map((name, index) => [colorOf(index), name]))

const theme: ThemeRegistration = {
  name: "lectern",
  type: "light",
  colors: { "editor.foreground": "#000000", "editor.background": "#ffffff" },
  settings: [
    { settings: { foreground: "#000000", background: "#ffffff" } },
    ...classNames.map((name, index) => ({
      scope: [...scopesByClass[name]!],
      settings: { foreground: colorOf(index) }
    }))
  ]
}

/** The maximum length of code that is colored, in characters. */
const maximumCodeLength = 100_000

/** The maximum length of a line that is colored, in characters. */
const maximumLineLength = 2_000

/** The maximum length of a formula, in characters. */
const maximumFormulaLength = 10_000

let highlighter: Promise<HighlighterCore> | undefined

const openHighlighter = (): Promise<HighlighterCore> => {
  highlighter ??= createHighlighterCore({
    engine: createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined")),
    themes: [theme]
  })
  return highlighter
}

/** Names of languages that authors use and that the grammars do not have. */
const otherNames: Readonly<Record<string, string>> = {
  curl: "bash",
  env: "dotenv",
  golang: "go",
  javascriptreact: "jsx",
  "objective-c++": "objective-cpp",
  react: "jsx",
  sh: "bash",
  shell: "bash",
  typescriptreact: "tsx"
}

const renderCode = async (syntax: string, text: string): Promise<RenderedPiece> => {
  if (text.length > maximumCodeLength) return null
  const named = syntax.toLowerCase()
  const name = Object.hasOwn(otherNames, named) ? otherNames[named]! : named
  if (!hasGrammar(name)) return null
  const open = await openHighlighter()
  if (!open.getLoadedLanguages().includes(name)) await open.loadLanguage(readGrammars(name))
  const lines = open.codeToTokensBase(text, {
    lang: name,
    theme: "lectern",
    tokenizeMaxLineLength: maximumLineLength,
    // Without a limit per line, which would stop in the middle of one: the thread has a limit for the whole piece.
    tokenizeTimeLimit: 0
  })
  return lines.map((tokens) =>
    tokens.map(({ content, color }) => [content, classOfColor.get(color?.toLowerCase() ?? "") ?? ""] as const)
  )
}

const renderMath = async (formula: string, isBlock: boolean): Promise<RenderedPiece> => {
  if (formula.length > maximumFormulaLength) return null
  const { default: temml } = await import("temml")
  return temml.renderToString(formula, {
    displayMode: isBlock,
    throwOnError: false,
    trust: false,
    strict: false,
    maxExpand: 200,
    maxSize: [50, 50]
  })
}

/** Renders a piece. Returns null for code of an unknown language, and if the input is too long. */
export const renderPiece = (piece: Piece): Promise<RenderedPiece> => {
  switch (piece.kind) {
    case "code":
      return renderCode(piece.syntax, piece.text)
    case "math":
      return renderMath(piece.formula, piece.isBlock)
    case "image":
      return renderImage(piece.svg)
  }
}
