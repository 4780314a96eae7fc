/** Highlights code with highlight.js. The languages are loaded with the first code block that has one. */
import type { ElementContent } from "hast"

/** A part of a line of code with its color and weight. */
export interface CodePart {
  readonly text: string
  readonly color?: string
  readonly isBold?: boolean
  readonly isItalic?: boolean
}

type Look = Omit<CodePart, "text">

/** The maximum length of code that is highlighted, in characters. The matching of some languages is quadratic. */
const maxHighlightedLength = 50_000

/** The looks of highlighted scopes, by class. They have a contrast of at least 4.5 on the background of code. */
const looks: Readonly<Record<string, Look>> = {
  "hljs-comment": { color: "#59636e", isItalic: true },
  "hljs-quote": { color: "#59636e", isItalic: true },
  "hljs-keyword": { color: "#b5202d" },
  "hljs-literal": { color: "#0550ae" },
  "hljs-number": { color: "#0550ae" },
  "hljs-operator": { color: "#0550ae" },
  "hljs-string": { color: "#0a3069" },
  "hljs-regexp": { color: "#0a3069" },
  "hljs-title": { color: "#6639ba" },
  "hljs-section": { color: "#0550ae", isBold: true },
  "hljs-name": { color: "#116329" },
  "hljs-tag": { color: "#116329" },
  "hljs-attr": { color: "#0550ae" },
  "hljs-attribute": { color: "#0550ae" },
  "hljs-variable": { color: "#953800" },
  "hljs-template-variable": { color: "#953800" },
  "hljs-type": { color: "#953800" },
  "hljs-built_in": { color: "#953800" },
  "hljs-symbol": { color: "#953800" },
  "hljs-bullet": { color: "#953800" },
  "hljs-meta": { color: "#59636e" },
  "hljs-doctag": { color: "#b5202d" },
  "hljs-property": { color: "#0550ae" },
  "hljs-selector-class": { color: "#6639ba" },
  "hljs-selector-id": { color: "#6639ba" },
  "hljs-selector-tag": { color: "#116329" },
  "hljs-addition": { color: "#116329" },
  "hljs-deletion": { color: "#82071e" },
  "hljs-link": { color: "#0a3069" },
  "hljs-strong": { isBold: true },
  "hljs-emphasis": { isItalic: true }
}

type Lowlight = ReturnType<typeof import("./lowlight.ts").createLowlight>

let loading: Promise<Lowlight> | undefined

const loadHighlighter = (): Promise<Lowlight> => {
  loading ??= import("./lowlight.ts").then(({ common, createLowlight }) => createLowlight(common))
  return loading
}

/** Highlights the code of a document. Load it before the first code block is rendered. */
export class Highlighter {
  private lowlight: Lowlight | undefined

  /** Loads the languages if the Markdown may contain code in one. */
  async loadFor(markdown: string): Promise<void> {
    if (this.lowlight === undefined && /(?:```|~~~)[ \t]*\w/.test(markdown)) {
      this.lowlight = await loadHighlighter()
    }
  }

  /** Returns the parts of each line of code. Code of an unknown language has one part per line. */
  highlight(code: string, language: string | undefined): ReadonlyArray<ReadonlyArray<CodePart>> {
    const name = language?.toLowerCase() ?? ""
    const isKnown = name !== "" && this.lowlight?.registered(name) === true
    if (!isKnown || code.length > maxHighlightedLength) return toLines([{ text: code }])
    const parts: Array<CodePart> = []
    addParts(this.lowlight!.highlight(name, code).children as ReadonlyArray<ElementContent>, {}, parts)
    return toLines(parts)
  }
}

const addParts = (nodes: ReadonlyArray<ElementContent>, look: Look, parts: Array<CodePart>): void => {
  for (const node of nodes) {
    if (node.type === "text") parts.push({ text: node.value, ...look })
    else if (node.type === "element") {
      const classes = node.properties.className
      const own = Array.isArray(classes)
        ? classes.map((name) => looks[String(name)]).find(Boolean)
        : undefined
      addParts(node.children, own === undefined ? look : { ...look, ...own }, parts)
    }
  }
}

const toLines = (parts: ReadonlyArray<CodePart>): ReadonlyArray<ReadonlyArray<CodePart>> => {
  const lines: Array<Array<CodePart>> = [[]]
  for (const { text, ...look } of parts) {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) lines.push([])
      if (line !== "") lines.at(-1)!.push({ text: line, ...look })
    }
  }
  return lines
}
