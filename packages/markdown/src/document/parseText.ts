/** Parses Markdown to its syntax tree. No other module configures the parser. */
import type { Html, Nodes, Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import type { Code, Effects, ParseContext, State, TokenizeContext } from "micromark-util-types"
import { emojiFromMarkdown, emojiSyntax } from "./emojiSyntax.ts"
import { gfmExtensionsFor, type SyntaxExtension } from "./gfmExtensions.ts"
import { mathBlockFromMarkdown, mathBlockSyntaxFor } from "./mathBlockSyntax.ts"
import { mathFromMarkdown, mathSyntaxFor } from "./mathSyntax.ts"
import { limitLazyContinuation, ParseBudgetExceeded, parseBudget } from "./parseBudget.ts"
import type { ParseCosts } from "./parseCosts.ts"
import { tagSyntaxFor } from "./tagSyntax.ts"
import { markTightLists } from "./tightLists.ts"

/** The maximum depth of a tree, from the root to its deepest node. */
const maximumDepth = 40

/** The normalized labels of definitions and footnotes, which decide whether brackets are references. */
export interface Labels {
  /** The labels of definitions of links. */
  readonly definitions: ReadonlyArray<string>
  /** The labels of footnotes. */
  readonly footnotes: ReadonlyArray<string>
}

/** No labels. */
export const noLabels: Labels = { definitions: [], footnotes: [] }

/** Options of {@link parseText}. */
export interface ParseTextOptions {
  /** Receives the costs of the pieces. */
  readonly costs?: ParseCosts
  /** Labels that are defined outside of the text. */
  readonly labels?: Labels
}

/** A tree, with the labels that are defined in its text or outside of it. */
export interface ParsedText {
  /** The tree. */
  readonly root: Root
  /** The labels. */
  readonly labels: Labels
}

/** Returns an extension that defines labels before the first line, and a function that returns all labels of the parser. */
const labelSyntax = (
  labels: Labels
): { readonly extension: SyntaxExtension; readonly defined: () => Labels } => {
  let parser: ParseContext | undefined
  const observer = {
    tokenize(this: TokenizeContext, _effects: Effects, _ok: State, nok: State): State {
      return (code: Code) => {
        if (parser === undefined) {
          parser = this.parser
          parser.defined.push(...labels.definitions)
          parser.gfmFootnotes ??= []
          parser.gfmFootnotes.push(...labels.footnotes)
        }
        return nok(code)
      }
    }
  }
  return {
    extension: { document: { null: observer } },
    defined: () => ({ definitions: parser?.defined ?? [], footnotes: parser?.gfmFootnotes ?? [] })
  }
}

/**
 * Parses well-formed Markdown. Throws `ParseBudgetExceeded` if it exceeds the parse budget or is nested more than
 * 40 levels deep, and can throw a `RangeError` if it is nested so deep that it exhausts the call stack.
 */
export const parseText = (text: string, { costs, labels = noLabels }: ParseTextOptions = {}): ParsedText => {
  limitLazyContinuation(text)
  const { syntax, compiler } = gfmExtensionsFor(text)
  // Labels matter only to brackets, and a label is defined only before a colon.
  const names =
    text.includes("]:") || (text.includes("]") && labels !== noLabels) ? labelSyntax(labels) : undefined
  const root = fromMarkdown(text, {
    extensions: [
      syntax,
      tagSyntaxFor(text),
      mathSyntaxFor(text),
      mathBlockSyntaxFor(text),
      emojiSyntax,
      parseBudget(text, costs),
      ...(names === undefined ? [] : [names.extension])
    ],
    mdastExtensions: [...compiler, mathFromMarkdown, mathBlockFromMarkdown, emojiFromMarkdown]
  })
  if (isDeep(root)) throw new ParseBudgetExceeded()
  joinLazyBreaks(root)
  markTightLists(root)
  return { root, labels: names?.defined() ?? noLabels }
}

/** Lines that consist of `<br>`. */
const breakLines = /^(?:<br *\/?> *(?:\n|$))+$/i

/** Returns a node with its last descendants, down to a paragraph; empty if the node does not end with a paragraph. */
const pathToLastParagraph = (node: Nodes | undefined): ReadonlyArray<Nodes> => {
  const path: Array<Nodes> = []
  for (let at = node; at !== undefined; at = "children" in at ? at.children.at(-1) : undefined) {
    path.push(at)
    if (at.type === "paragraph") return path
    if (at.type !== "blockquote" && at.type !== "list" && at.type !== "listItem") return []
  }
  return []
}

/**
 * Joins lines of `<br>` with the paragraph that they continue. The parser parses them as a block if they lack the prefix of the
 * quote or the indentation of the item, but HTML of one inline tag cannot interrupt a paragraph.
 */
const joinLazyBreaks = (parent: Nodes): void => {
  if (!("children" in parent)) return
  const children = parent.children as Array<Nodes>
  for (let index = 0; index < children.length; index++) {
    const node = children[index]!
    joinLazyBreaks(node)
    const path =
      node.type === "html" && breakLines.test(node.value) ? pathToLastParagraph(children[index - 1]) : []
    const paragraph = path.at(-1)
    const [end, start] = [paragraph?.position?.end, node.position?.start]
    if (paragraph?.type !== "paragraph" || end === undefined || start?.line !== end.line + 1) continue
    paragraph.children.push({ type: "text", value: "\n", position: { start: end, end: start } }, node as Html)
    for (const one of path) one.position = { start: one.position!.start, end: node.position!.end }
    children.splice(index--, 1)
  }
}

const isDeep = (root: Root): boolean => {
  let level: Array<object> = root.children
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maximumDepth) return true
    const next: Array<object> = []
    for (const node of level) {
      if ("children" in node) for (const child of node.children as Array<object>) next.push(child)
    }
    level = next
  }
  return false
}
