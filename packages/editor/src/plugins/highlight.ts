/** Colors code. The library is loaded with the first block of code that has a language. */
import type { Node } from "prosemirror-model"
import { Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import { textField } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"

type Lowlight = ReturnType<typeof import("lowlight")["createLowlight"]>

/** A node of the tree that the library returns. */
interface Token {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: ReadonlyArray<string> }
  readonly children?: ReadonlyArray<Token>
}

const key = new PluginKey<DecorationSet>("lectern-highlight")

/** Longer code is not colored, as it takes too long for each key. */
const maximumLength = 30_000

/** The classes of the reader, by the first class of the library. */
const classes: Readonly<Record<string, string>> = {
  comment: "t-comment",
  quote: "t-comment",
  string: "t-string",
  regexp: "t-string",
  number: "t-number",
  literal: "t-number",
  symbol: "t-number",
  keyword: "t-keyword",
  built_in: "t-type",
  type: "t-type",
  title: "t-function",
  section: "t-function",
  name: "t-tag",
  "selector-tag": "t-tag",
  tag: "t-tag",
  attr: "t-attribute",
  attribute: "t-attribute",
  property: "t-attribute",
  variable: "t-attribute",
  operator: "t-operator",
  addition: "t-inserted",
  deletion: "t-deleted"
}

const classOf = (names: ReadonlyArray<string> | undefined): string | undefined =>
  names?.map((name) => classes[name.replace(/^hljs-/, "")]).find((name) => name !== undefined)

const cache = new WeakMap<Node, Ranges>()

const aliases: Readonly<Record<string, string>> = {
  html: "xml",
  vue: "xml",
  jsx: "javascript",
  tsx: "typescript"
}

type Ranges = ReadonlyArray<readonly [from: number, to: number, className: string]>

const rangesOfCode = (lowlight: Lowlight, language: string, text: string): Ranges => {
  const syntax = aliases[language] ?? language
  const ranges: Array<readonly [number, number, string]> = []
  if (syntax !== "" && lowlight.registered(syntax) && text.length <= maximumLength) {
    let at = 0
    const visit = (token: Token, className: string | undefined): void => {
      const own = classOf(token.properties?.className) ?? className
      if (token.value !== undefined) {
        if (own !== undefined) ranges.push([at, at + token.value.length, own])
        at += token.value.length
      }
      for (const child of token.children ?? []) visit(child, own)
    }
    visit(lowlight.highlight(syntax, text) as Token, undefined)
  }
  return ranges
}

/** Returns the ranges of a text of code with their classes. None if its language is unknown, or the library cannot be loaded. */
export const colorsOf = async (language: string, text: string): Promise<Ranges> => {
  const loaded = await import("../codeColors.ts").catch(() => undefined)
  return loaded === undefined ? [] : rangesOfCode(loaded.createLowlight(loaded.common), language, text)
}

const rangesOf = (lowlight: Lowlight, node: Node): Ranges => {
  const known = cache.get(node)
  if (known !== undefined) return known
  const ranges = rangesOfCode(lowlight, textField(node, "syntax")?.toLowerCase() ?? "", node.textContent)
  cache.set(node, ranges)
  return ranges
}

const decorationsOf = (lowlight: Lowlight, node: Node, position: number): Array<Decoration> =>
  rangesOf(lowlight, node).map(([from, to, name]) =>
    Decoration.inline(position + 1 + from, position + 1 + to, { class: name })
  )

const isColored = (node: Node): boolean =>
  node.type === schema.nodes.code && (textField(node, "syntax") ?? "") !== ""

/** Colors the code between two positions again. */
const colorBetween = (
  lowlight: Lowlight,
  set: DecorationSet,
  doc: Node,
  from: number,
  to: number
): DecorationSet => {
  let result = set
  doc.nodesBetween(from, Math.min(to, doc.content.size), (node, position) => {
    if (node.type !== schema.nodes.code) return !node.isTextblock
    result = result.remove(result.find(position, position + node.nodeSize))
    result = result.add(doc, decorationsOf(lowlight, node, position))
    return false
  })
  return result
}

/** Creates the plugin that colors code. */
export const highlight = (): Plugin => {
  let lowlight: Lowlight | undefined
  let isLoading = false

  const load = async (view: EditorView): Promise<void> => {
    isLoading = true
    const loaded = await import("../codeColors.ts").catch(() => undefined)
    if (loaded === undefined) {
      // Another change of code tries again.
      isLoading = false
      return
    }
    lowlight = loaded.createLowlight(loaded.common)
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true))
  }

  const hasCode = (doc: Node): boolean => {
    let isFound = false
    doc.descendants((node) => {
      if (isColored(node)) isFound = true
      return !isFound && !node.isTextblock
    })
    return isFound
  }

  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, set) => {
        const { doc } = transaction
        if (lowlight === undefined) return set
        if (transaction.getMeta(key) === true) return colorBetween(lowlight, set, doc, 0, doc.content.size)
        if (!transaction.docChanged) return set
        let result = set.map(transaction.mapping, doc)
        for (const [index, map] of transaction.mapping.maps.entries()) {
          const rest = transaction.mapping.slice(index + 1)
          map.forEach((_from, _to, from, to) => {
            result = colorBetween(lowlight!, result, doc, rest.map(from, -1), rest.map(to, 1))
          })
        }
        return result
      }
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => {
      if (hasCode(view.state.doc)) void load(view)
      return {
        update: (next, before) => {
          if (isLoading || next.state.doc.eq(before.doc)) return
          const { $from } = next.state.selection
          if (isColored($from.parent)) void load(next)
        }
      }
    }
  })
}
