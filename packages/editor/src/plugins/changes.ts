/** Displays the changes of the text against another version of the document: insertions, deletions, and changed blocks. */
import { DOMSerializer, Fragment, type Node } from "prosemirror-model"
import { type EditorState, Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet } from "prosemirror-view"
import { writeBlock } from "../convert/writeBlocks.ts"
import { commonPairs } from "../saving/alignBlocks.ts"
import { contentKey } from "../saving/mergeDocuments.ts"
import { schema } from "../schema/schema.ts"
import { element } from "../ui/dom.ts"

const key = new PluginKey<Node | null>("lectern-changes")

const keys = new WeakMap<Node, string>()

const keyOf = (node: Node): string => {
  const known = keys.get(node) ?? contentKey(writeBlock(node))
  keys.set(node, known)
  return known
}

interface Placed {
  readonly node: Node
  readonly position: number
}

const blocksOf = (doc: Node): ReadonlyArray<Placed> => {
  const blocks: Array<Placed> = []
  doc.forEach((node, position) => {
    if (node.type !== schema.nodes.footnote) blocks.push({ node, position })
  })
  return blocks
}

/** The words of a block of text: text with its marks, and each inline node. */
interface Word {
  readonly key: string
  readonly from: number
  readonly to: number
}

const wordsOf = (node: Node): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  node.forEach((child, offset) => {
    const marks = JSON.stringify(child.marks.map((mark) => mark.toJSON() as unknown))
    if (!child.isText) {
      words.push({ key: JSON.stringify([child.type.name, child.attrs, marks]), from: offset, to: offset + 1 })
      return
    }
    for (const { 0: text, index } of child.text!.matchAll(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
      words.push({
        key: JSON.stringify([text, marks]),
        from: offset + index,
        to: offset + index + text.length
      })
    }
  })
  return words
}

const deletedWidget = (position: number, content: Fragment, isBlock: boolean): Decoration =>
  Decoration.widget(
    position,
    () => {
      const dom = element(isBlock ? "div" : "span", {
        class: isBlock ? "editor-deleted-block" : "editor-deleted",
        contenteditable: "false",
        inert: isBlock
      })
      const removed = element("del")
      removed.append(DOMSerializer.fromSchema(schema).serializeFragment(content))
      dom.append(removed)
      return dom
    },
    { side: -1, ignoreSelection: true }
  )

const compareText = (before: Node, { node, position }: Placed): ReadonlyArray<Decoration> => {
  const [old, now] = [wordsOf(before), wordsOf(node)]
  const pairs = [
    ...commonPairs(
      old.map((word) => word.key),
      now.map((word) => word.key)
    ),
    [old.length, now.length] as const
  ]
  const decorations: Array<Decoration> = []
  let [oldAt, nowAt] = [0, 0]
  for (const [oldTo, nowTo] of pairs) {
    const place = position + 1 + (nowAt < now.length ? now[nowAt]!.from : node.content.size)
    if (oldTo > oldAt)
      decorations.push(deletedWidget(place, before.content.cut(old[oldAt]!.from, old[oldTo - 1]!.to), false))
    if (nowTo > nowAt) {
      decorations.push(
        Decoration.inline(place, position + 1 + now[nowTo - 1]!.to, {
          class: "editor-inserted",
          nodeName: "ins"
        })
      )
    }
    ;[oldAt, nowAt] = [oldTo + 1, nowTo + 1]
  }
  return decorations
}

const block = ({ node, position }: Placed, name: string): Decoration =>
  Decoration.node(position, position + node.nodeSize, { class: name })

const compareGroups = (
  old: ReadonlyArray<Placed>,
  now: ReadonlyArray<Placed>,
  end: number
): ReadonlyArray<Decoration> => {
  const decorations: Array<Decoration> = []
  for (const [index, placed] of now.entries()) {
    const before = old[index]?.node
    if (before === undefined) decorations.push(block(placed, "editor-inserted-block"))
    else if (before.isTextblock && before.type === placed.node.type && before.type !== schema.nodes.code) {
      decorations.push(...compareText(before, placed))
      if (
        !before.hasMarkup(placed.node.type, {
          ...placed.node.attrs,
          rest: before.attrs.rest as unknown,
          exact: before.attrs.exact as unknown
        })
      ) {
        decorations.push(block(placed, "editor-changed-block"))
      }
    } else decorations.push(block(placed, "editor-changed-block"))
  }
  const removed = old.slice(now.length).map(({ node }) => node)
  if (removed.length > 0) decorations.push(deletedWidget(end, Fragment.fromArray(removed), true))
  return decorations
}

const compare = (base: Node, doc: Node): DecorationSet => {
  const [old, now] = [blocksOf(base), blocksOf(doc)]
  const pairs = [
    ...commonPairs(
      old.map(({ node }) => keyOf(node)),
      now.map(({ node }) => keyOf(node))
    ),
    [old.length, now.length] as const
  ]
  const decorations: Array<Decoration> = []
  let [oldAt, nowAt] = [0, 0]
  for (const [oldTo, nowTo] of pairs) {
    const end =
      nowTo < now.length
        ? now[nowTo]!.position
        : now.length === 0
          ? 0
          : now.at(-1)!.position + now.at(-1)!.node.nodeSize
    decorations.push(...compareGroups(old.slice(oldAt, oldTo), now.slice(nowAt, nowTo), end))
    ;[oldAt, nowAt] = [oldTo + 1, nowTo + 1]
  }
  return DecorationSet.create(doc, decorations)
}

const compared = new WeakMap<Node, { readonly base: Node; readonly set: DecorationSet }>()

const decorationsOf = (state: EditorState): DecorationSet | null => {
  const base = key.getState(state)
  if (base == null) return null
  const known = compared.get(state.doc)
  if (known?.base === base) return known.set
  const set = compare(base, state.doc)
  compared.set(state.doc, { base, set })
  return set
}

/** Whether the text differs from the version that it is compared with. */
export const hasChanges = (state: EditorState): boolean => (decorationsOf(state)?.find().length ?? 0) > 0

/** Creates the plugin of changes. */
export const changes = (): Plugin =>
  new Plugin<Node | null>({
    key,
    state: {
      init: () => null,
      apply: (transaction, base) => {
        const next = transaction.getMeta(key) as { readonly base: Node | null } | undefined
        return next === undefined ? base : next.base
      }
    },
    props: { decorations: decorationsOf }
  })

/** The transaction that displays the changes against a version, or no longer for null. */
export const compareWith = (state: EditorState, base: Node | null) => state.tr.setMeta(key, { base })
