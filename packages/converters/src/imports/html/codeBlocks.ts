/**
 * Normalizes code blocks: finds their language, which generators of pages declare in various places, and their text.
 */
import type { Element, Nodes } from "hast"
import { toText } from "hast-util-to-text"
import type { Measure } from "./measures.ts"
import { labelOf } from "./menus.ts"
import { attribute, classesOf, elementsIn, hasTag, isElement } from "./nodes.ts"

const languageClass =
  /^(?:language|lang|highlight-source|highlight|brush|syntax|code)[-:]([a-z\d+#._-]{1,40})$/

/** Values that mean that a block has no language. */
const noLanguage = new Set([
  "none",
  "default",
  "plaintext",
  "plain",
  "text",
  "txt",
  "notranslate",
  "highlighter-rouge",
  "block"
])

/** Languages that generators write as a class without a prefix. */
const knownLanguages = new Set(
  (
    "bash c clojure cmake console cpp csharp css dart diff dockerfile elixir erlang go graphql groovy haskell hcl html http ini java " +
    "javascript js json json5 jsx kotlin latex less lua makefile markdown md mermaid nginx nix objectivec ocaml perl php " +
    "powershell properties protobuf py pycon python r rb rs ruby rust scala scss sh shell sql svelte swift toml ts tsx typescript " +
    "vue xml yaml yml zig zsh"
  ).split(" ")
)

/** Names of languages that only some highlighters have. */
const languageAliases: Readonly<Record<string, string>> = {
  python3: "python",
  ipython: "python",
  ipython3: "python",
  pycon3: "pycon"
}

const languageIn = (element: Element): string | undefined => {
  const declared = attribute(element, "dataLang") ?? attribute(element, "dataLanguage")
  if (declared !== undefined && /^[\w+#.-]{1,40}$/.test(declared)) return declared.toLowerCase()
  const classes = classesOf(element)
  for (const name of classes) {
    const found = languageClass.exec(name)?.[1]
    if (found !== undefined && !noLanguage.has(found)) return found
  }
  // Pandoc writes the language as a second class after `sourceCode`.
  if (classes.includes("sourcecode"))
    return classes.find((name) => name !== "sourcecode" && !noLanguage.has(name))
  return hasTag(element, "code", "pre") ? classes.find((name) => knownLanguages.has(name)) : undefined
}

/**
 * Returns the language that the `code` in a block, the block itself, or one of its three closest ancestors declares.
 */
const languageOf = (pre: Element, ancestors: ReadonlyArray<Element>): string | undefined => {
  const inner = elementsIn(pre).filter((element) => isElement(element, "code"))
  for (const element of [...inner, pre, ...ancestors.slice(-3).toReversed()]) {
    const language = languageIn(element)
    if (language !== undefined) {
      return noLanguage.has(language) ? undefined : (languageAliases[language] ?? language)
    }
  }
  return undefined
}

const decorationClass =
  /^(?:lineno|linenos|linenodiv|line-?numbers?(?:-rows)?|gutter|ln-num|hljs-ln-numbers|copy|copybtn|rouge-gutter|gl)$/

const isDecoration = (element: Element): boolean =>
  isElement(element, "button") || classesOf(element).some((name) => decorationClass.test(name))

/** Returns a line that is a block as text that ends with a line feed. A line can also end with a line break. */
const toLine = (line: Element): Element => {
  const last = line.children.at(-1)
  const children = isElement(last, "br") ? line.children.slice(0, -1) : line.children
  return { ...line, tagName: "span", children: [...children, { type: "text", value: "\n" }] }
}

const isLine = (element: Element): boolean =>
  element.tagName === "div" && !element.children.some((child) => isElement(child, "div", "pre", "table", "p"))

/** Returns the element without line numbers and buttons. */
const withoutDecorations = (element: Element): Element => ({
  ...element,
  children: element.children
    .filter((child) => !isElement(child) || !isDecoration(child))
    .map((child) => {
      if (!isElement(child)) return child
      return withoutDecorations(isLine(child) ? toLine(child) : child)
    })
})

/**
 * Converts a block to `<pre><code class="language-…">` with text only. `ancestors` are the closest ones, outermost
 * first.
 */
export const toPlainCodeBlock = (pre: Element, ancestors: ReadonlyArray<Element>): Element => {
  const language = languageOf(pre, ancestors)
  const value = toText(withoutDecorations(pre)).replace(/^\n/, "").replace(/\s+$/, "")
  return {
    type: "element",
    tagName: "pre",
    properties: {},
    children: [
      {
        type: "element",
        tagName: "code",
        properties: language === undefined ? {} : { className: [`language-${language}`] },
        children: [{ type: "text", value }]
      }
    ]
  }
}

/** Returns the code block in a table that lays out line numbers, or `undefined` for other tables. */
export const findNumberedCode = (table: Element): Element | undefined => {
  if (
    !classesOf(table).some((name) => /^(?:highlighttable|rouge-table|codehilitetable|hljs-ln)$/.test(name))
  ) {
    return undefined
  }
  const blocks = elementsIn(table, isDecoration).filter((element) => isElement(element, "pre"))
  return blocks.at(-1)
}

const containerName =
  /^(?:language-[\w+#.-]+|highlight(?:-[\w+#.-]+)?|codehilite|code-?block(?:-?container)?(?:_\w+)?|theme-code-block|expressive-code|literal-block-wrapper|sourcecode|code-?toolbar|code-?wrapper)$/
const titleName = /(?:^|[-_])(?:title|caption|caption-text|filename|file-?name)(?:$|[-_])/

/** A code block in the elements that decorate it. */
export interface CodeBlock {
  readonly block: Element
  /** The title, such as the name of a file. */
  readonly title: string | undefined
  /** The elements from the outermost one to the block. */
  readonly path: ReadonlyArray<Element>
}

/** Returns the classes of an element, with their capitals as separators. */
const separatedClasses = ({ properties }: Element): ReadonlyArray<string> =>
  Array.isArray(properties.className)
    ? properties.className.map((name) =>
        String(name)
          .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
          .toLowerCase()
      )
    : []

/** Returns the code block that an element is, or decorates with buttons, the name of the language and a title. */
export const findCode = (element: Element, measure: (node: Nodes) => Measure): CodeBlock | undefined => {
  if (element.tagName === "pre") return { block: element, title: undefined, path: [] }
  const isContainer =
    isElement(element, "div", "figure", "section") &&
    classesOf(element).some((name) => containerName.test(name))
  if (!isContainer || measure(element).codeBlocks !== 1) return undefined
  const { text } = measure(element)
  const path: Array<Element> = []
  let [block, title]: [Element, string | undefined] = [element, undefined]
  while (block.tagName !== "pre") {
    path.push(block)
    let next: Element | undefined
    for (const child of block.children) {
      if (!isElement(child)) continue
      if (measure(child).codeBlocks === 1) next = child
      else if (isTitle(child)) title ??= labelOf(child).slice(0, 200) || undefined
    }
    if (next === undefined) return undefined
    block = next
  }
  // Other text than the title and the name of the language is content.
  return text - measure(block).text <= 40 + (title ?? "").length ? { block, title, path } : undefined
}

const isTitle = (element: Element): boolean =>
  isElement(element, "figcaption") ||
  [element, ...elementsIn(element).slice(0, 5)].some((one) =>
    separatedClasses(one).some((name) => titleName.test(name))
  )
