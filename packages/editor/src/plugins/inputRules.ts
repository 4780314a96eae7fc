/** Markdown shortcuts: text that becomes a block or a mark while it is typed. */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules"
import type { Attrs, MarkType } from "prosemirror-model"
import {
  type Command,
  type EditorState,
  NodeSelection,
  type Plugin,
  Selection,
  type Transaction
} from "prosemirror-state"
import { schema } from "../schema/schema.ts"

const { nodes, marks } = schema

/** A rule that formats the text between two markers, such as `**bold**`. */
const markRule = (pattern: RegExp, type: MarkType): InputRule =>
  new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, before = "", text = ""] = match
      if (text === "" || text !== text.trim()) return null
      const from = start + before.length
      const opening = whole.indexOf(text, before.length) - before.length
      const transaction = state.tr
      // The text after the marker has not been typed yet, so that the marker at the end is one character shorter.
      const textFrom = from + opening
      const textTo = textFrom + text.length
      if (textTo < end) transaction.delete(textTo, end)
      transaction.delete(from, textFrom)
      transaction.addMark(from, from + text.length, type.create())
      return transaction.removeStoredMark(type)
    },
    { inCodeMark: false }
  )

const taskRule = new InputRule(/^\[([ x]?)\]\s$/i, (state, match, start, end) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type !== nodes.paragraph) return null
  const isChecked = match[1]?.toLowerCase() === "x"
  const transaction = state.tr.delete(start, end)
  const $from = transaction.doc.resolve(start)
  const isItem = $from.depth > 1 && $from.node(-1).type === nodes.list_item && $from.index(-1) === 0
  if (isItem && $from.node(-2).childCount === 1) {
    transaction.setNodeMarkup($from.before(-2), nodes.list_tasks!, {})
    return transaction.setNodeMarkup($from.before(-1), null, { data: { checked: isChecked } })
  }
  if (isItem) return null
  const range = $from.blockRange()
  if (range === null) return null
  return transaction.wrap(range, [
    { type: nodes.list_tasks! },
    { type: nodes.list_item!, attrs: { data: { checked: isChecked } } }
  ])
})

/** A rule that replaces a paragraph by a node without text. */
const blockRule = (pattern: RegExp, name: string, attrs: Attrs): InputRule =>
  new InputRule(pattern, (state, _, start) => {
    const $start = state.doc.resolve(start)
    if ($start.parent.type !== nodes.paragraph || $start.depth === 0) return null
    const parent = $start.node(-1)
    const index = $start.index(-1)
    if (!parent.canReplaceWith(index, index + 1, nodes[name]!)) return null
    const node = nodes[name]!.create(attrs)
    const [from, to] = [$start.before(), $start.after()]
    if (name === "math") {
      const transaction = state.tr.replaceWith(from, to, node)
      return transaction
        .setSelection(NodeSelection.create(transaction.doc, from))
        .setMeta("lectern-settings", from)
    }
    const transaction = state.tr.replaceWith(from, to, [node, nodes.paragraph!.create()])
    return transaction.setSelection(Selection.near(transaction.doc.resolve(from + node.nodeSize + 1)))
  })

const mathRule = new InputRule(/\$\$([^$\s](?:[^$]*[^$\s])?)\$\$$/, (state, match, start, end) =>
  state.tr.replaceWith(start, end, nodes.inline_math!.create({ data: { formula: match[1]! } }))
)

const linkRule = new InputRule(/(?<!!)\[([^\][]+)\]\((\S+?)\)$/, (state, match, start, end) => {
  const mark = marks.link!.create({ data: { ref: { kind: "url", url: match[2]! } } })
  return state.tr.replaceWith(start, end, schema.text(match[1]!, [mark])).removeStoredMark(marks.link!)
})

const imageRule = new InputRule(/!\[([^\][]*)\]\((\S+?)\)$/, (state, match, start, end) => {
  const [, alt = "", url = ""] = match
  const data = { ref: { kind: "url", url }, ...(alt === "" ? {} : { alt }) }
  return state.tr.replaceWith(start, end, nodes.inline_image!.create({ data }))
})

const headingRule = textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading!, (match) => ({
  level: match[1]!.length,
  data: {}
}))

/** Replaces the paragraph at a position by an empty block of code, if its parent permits one. */
const toCode = (state: EditorState, start: number, end: number, syntax: string): Transaction | null => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type !== nodes.paragraph || $start.depth === 0) return null
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.code!)) return null
  return state.tr
    .delete(start, end)
    .setBlockType(start, start, nodes.code!, { data: syntax === "" ? {} : { syntax } })
}

const codeRule = new InputRule(/^```([\w+#-]*)\s$/, (state, match, start, end) =>
  toCode(state, start, end, match[1] ?? "")
)

/** Enter after a fence, such as "```js", begins a block of code. */
export const beginCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const fence = /^```([\w+#-]*)$/.exec($from.parent.textContent)
  if (!empty || fence === null || $from.parentOffset !== $from.parent.content.size) return false
  const transaction = toCode(state, $from.start(), $from.end(), fence[1] ?? "")
  if (transaction === null) return false
  dispatch?.(transaction.scrollIntoView())
  return true
}

const hintRule = wrappingInputRule(
  /^(?:!!!|> \[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\])\s$/i,
  nodes.hint!,
  (match) => {
    const kind = (match[1] ?? "").toLowerCase()
    const styles: Readonly<Record<string, string>> = { tip: "success", warning: "warning", caution: "danger" }
    return { data: { style: styles[kind] ?? "info" } }
  }
)

/** Creates the plugin of Markdown shortcuts. */
export const markdownShortcuts = (): Plugin =>
  inputRules({
    rules: [
      headingRule,
      hintRule,
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote!),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.list_unordered!),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodes.list_ordered!,
        (match) => (match[1] === "1" ? {} : { data: { start: Number(match[1]) } }),
        (match, node) =>
          node.childCount + ((node.attrs.data as { start?: number } | null)?.start ?? 1) === Number(match[1])
      ),
      taskRule,
      codeRule,
      blockRule(/^(?:---|—-|\*\*\*|___)$/, "divider", { data: {} }),
      blockRule(/^\$\$\s$/, "math", { data: { formula: "" } }),
      mathRule,
      linkRule,
      imageRule,
      markRule(/(^|[^*])\*\*([^*]+)\*\*$/, marks.bold!),
      markRule(/(^|[^_\w])__([^_]+)__$/, marks.bold!),
      markRule(/(^|[^*\w])\*([^*]+)\*$/, marks.italic!),
      markRule(/(^|[^_\w])_([^_]+)_$/, marks.italic!),
      markRule(/(^|[^~])~~([^~]+)~~$/, marks.strikethrough!),
      markRule(/(^|[^`])`([^`]+)`$/, marks.inline_code!)
    ]
  })
