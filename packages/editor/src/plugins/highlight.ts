/** Colors code. The library is loaded with the first block of code that has a language. */
import type { Node } from "prosemirror-model"
import { Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import { type Lowlight, rangesOfCode } from "../codeRanges.ts"
import type { Ranges } from "../Ranges.ts"
import { textField } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { readSelection } from "./reportedSelection.ts"

const key = new PluginKey<DecorationSet>("lectern-highlight")

const cache = new WeakMap<Node, Ranges>()

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
    if (view.isDestroyed) return
    readSelection(view)
    view.dispatch(view.state.tr.setMeta(key, true))
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
