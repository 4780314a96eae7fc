/** Commands on whole blocks: insert, move, duplicate, delete, and change their type. */
import type { Node, NodeType, ResolvedPos } from "prosemirror-model"
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction
} from "prosemirror-state"
import { canSplit } from "prosemirror-transform"
import { withoutKey } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import type { BlockKind } from "./blockKinds.ts"

/** A block at its position. */
export interface PlacedBlock {
  readonly node: Node
  readonly position: number
  readonly parent: Node
  readonly index: number
}

/** The nodes besides blocks that are moved as a whole. */
const parts = new Set(["list_item", "table_row", "image", "stepper_step", "update"])

const isMovable = (node: Node): boolean => node.type.isInGroup("block") || parts.has(node.type.name)

/** Whether a node is the first text of an item, which is moved with its item. */
const isTextOfItem = ($position: ResolvedPos, depth: number): boolean =>
  depth > 1 && $position.node(depth - 1).type === schema.nodes.list_item && $position.index(depth - 1) === 0

/** Returns the block around a position, which a command on blocks applies to. */
export const blockAround = ($position: ResolvedPos): PlacedBlock | undefined => {
  for (let depth = $position.depth; depth > 0; depth--) {
    const node = $position.node(depth)
    if (!isMovable(node) || isTextOfItem($position, depth)) continue
    if ($position.node(depth - 1).type.name === "table_cell" && $position.node(depth - 1).childCount === 1)
      continue
    return {
      node,
      position: $position.before(depth),
      parent: $position.node(depth - 1),
      index: $position.index(depth - 1)
    }
  }
  return undefined
}

/** Returns the block that is selected or that contains the cursor. */
export const currentBlock = (state: EditorState): PlacedBlock | undefined => {
  const { selection } = state
  const { $from } = selection
  if (selection instanceof NodeSelection && selection.node.isBlock) {
    return { node: selection.node, position: selection.from, parent: $from.parent, index: $from.index() }
  }
  return blockAround($from)
}

/** Moves the current block before the previous one, or after the next one. */
export const moveBlock =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const block = currentBlock(state)
    if (block === undefined) return false
    const { node, position, parent, index } = block
    const target = index + direction
    // The first row of a table contains its columns.
    const isHeader = (at: number): boolean => parent.child(at).firstChild?.type === schema.nodes.table_header
    if (target < 0 || target >= parent.childCount || isHeader(index) || isHeader(target)) return false
    if (node.type === schema.nodes.footnote || parent.child(target).type === schema.nodes.footnote)
      return false
    if (dispatch === undefined) return true
    const other = parent.child(target)
    const offset = direction < 0 ? -other.nodeSize : other.nodeSize
    const from = direction < 0 ? position - other.nodeSize : position
    const both = direction < 0 ? [node, other] : [other, node]
    const transaction = state.tr.replaceWith(from, from + node.nodeSize + other.nodeSize, both)
    const { selection } = state
    const moved =
      selection instanceof NodeSelection
        ? NodeSelection.create(transaction.doc, selection.from + offset)
        : TextSelection.create(
            transaction.doc,
            clamp(selection.anchor, position, node.nodeSize) + offset,
            clamp(selection.head, position, node.nodeSize) + offset
          )
    dispatch(transaction.setSelection(moved).scrollIntoView())
    return true
  }

const clamp = (value: number, start: number, size: number): number =>
  Math.max(start + 1, Math.min(value, start + size - 1))

/** Returns a copy of a node without what identifies it: its key and its anchor. */
export const copyOf = (node: Node): Node => {
  const content: Array<Node> = []
  node.forEach((child) => {
    content.push(child.isText ? child : copyOf(child))
  })
  const { anchor: _anchor, ...data } = (node.attrs.data ?? {}) as Readonly<Record<string, unknown>>
  const attrs = {
    ...node.attrs,
    ...(node.attrs.rest === undefined ? {} : { rest: withoutKey(node.attrs.rest) }),
    ...(node.type === schema.nodes.heading ? { data } : {}),
    ...(node.attrs.exact === undefined ? {} : { exact: null }),
    ...(node.type === schema.nodes.table_row ? { id: null } : {})
  }
  return node.type.create(attrs, content, node.marks)
}

/** Inserts a copy of the current block after it. */
export const duplicateBlock: Command = (state, dispatch) => {
  const block = currentBlock(state)
  if (block === undefined) return false
  const end = block.position + block.node.nodeSize
  if (!block.parent.canReplaceWith(block.index + 1, block.index + 1, block.node.type)) return false
  dispatch?.(state.tr.insert(end, copyOf(block.node)).scrollIntoView())
  return true
}

/** Deletes the current block. */
export const deleteBlock: Command = (state, dispatch) => {
  const block = currentBlock(state)
  if (block === undefined) return false
  const { position, node, parent, index } = block
  if (node.firstChild?.type === schema.nodes.table_header) return false
  if (dispatch === undefined) return true
  const transaction = state.tr
  if (parent.canReplace(index, index + 1)) transaction.delete(position, position + node.nodeSize)
  else if (parent.canReplaceWith(index, index + 1, schema.nodes.paragraph!))
    transaction.replaceWith(position, position + node.nodeSize, schema.nodes.paragraph!.create())
  else {
    // The only part of a container: the container is deleted.
    const $position = state.doc.resolve(position)
    const grandparent = $position.node($position.depth - 1)
    const at = $position.index($position.depth - 1)
    const isReplaced = !grandparent.canReplace(at, at + 1)
    const [from, to] = [$position.before(), $position.after()]
    if (isReplaced) transaction.replaceWith(from, to, schema.nodes.paragraph!.create())
    else transaction.delete(from, to)
  }
  const near = Selection.near(transaction.doc.resolve(Math.min(position, transaction.doc.content.size)), 1)
  dispatch(transaction.setSelection(near).scrollIntoView())
  return true
}

/** Selects the block around the cursor, then the one around it. */
export const selectBlock: Command = (state, dispatch) => {
  const { selection } = state
  const block =
    selection instanceof NodeSelection && selection.node.isBlock
      ? blockAround(selection.$from)
      : currentBlock(state)
  if (block === undefined || !NodeSelection.isSelectable(block.node)) return false
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, block.position)))
  return true
}

/** Splits a block of text. The new block has no key and no anchor. */
export const splitBlock: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!$from.parent.isTextblock || !$from.sameParent($to)) return false
  const { type, attrs } = $from.parent
  if (type !== schema.nodes.paragraph && type !== schema.nodes.heading) return false
  if (dispatch === undefined) return true
  const transaction = state.tr
  if (!state.selection.empty) transaction.deleteSelection()
  const position = transaction.mapping.map($from.pos)
  const isAtEnd = $to.parentOffset === $to.parent.content.size
  const isParagraph = isAtEnd || type === schema.nodes.paragraph
  const { align } = (attrs.data ?? {}) as { readonly align?: string }
  const data = align === undefined ? null : { align }
  const next = isParagraph
    ? { type: schema.nodes.paragraph!, attrs: { data } }
    : { type, attrs: { level: attrs.level as number, data: data ?? {} } }
  if (!canSplit(transaction.doc, position, 1, [next])) return false
  transaction.split(position, 1, [next])
  // An empty heading before the cursor is a paragraph: Enter at the start of a heading moves it down.
  if (!isAtEnd && $from.parentOffset === 0 && type === schema.nodes.heading) {
    transaction.setNodeMarkup(transaction.mapping.map($from.before()), schema.nodes.paragraph!, {})
    const second = transaction.doc.resolve(position + 2).before()
    transaction.setNodeMarkup(second, type, attrs)
  }
  dispatch(transaction.scrollIntoView())
  return true
}

/** Sets the selection into the first text of a node that was inserted, or selects the node. */
export const selectInside = (transaction: Transaction, position: number): Transaction => {
  const node = transaction.doc.nodeAt(position)
  if (node === null) return transaction
  let found: number | undefined
  node.descendants((child, offset) => {
    if (found === undefined && child.isTextblock) found = position + 1 + offset + 1
    return found === undefined
  })
  if (node.isTextblock) found = position + 1
  const isText = found !== undefined && node.type !== schema.nodes.images
  return transaction.setSelection(
    isText ? TextSelection.create(transaction.doc, found!) : NodeSelection.create(transaction.doc, position)
  )
}

const isEmptyText = (node: Node): boolean => node.type === schema.nodes.paragraph && node.content.size === 0

/** Inserts a block: in place of an empty paragraph, else after the current block. Returns its position. */
export const insertBlock = (transaction: Transaction, node: Node): number | undefined => {
  const { $from } = transaction.selection
  for (let depth = $from.depth; depth >= 0; depth--) {
    const parent = $from.node(depth)
    const index = $from.index(depth)
    const child = depth < $from.depth ? $from.node(depth + 1) : undefined
    if (child !== undefined && isEmptyText(child) && parent.canReplaceWith(index, index + 1, node.type)) {
      const position = $from.before(depth + 1)
      transaction.replaceWith(position, position + child.nodeSize, node)
      return position
    }
    if (depth === $from.depth && parent.isTextblock) continue
    if (parent.type.spec.isolating === true && !parent.canReplaceWith(index, index, node.type)) continue
    const after = child === undefined ? index : index + 1
    if (!parent.canReplaceWith(after, after, node.type)) continue
    const position = child === undefined ? $from.pos : $from.after(depth + 1)
    transaction.insert(position, node)
    return position
  }
  return undefined
}

const simpleTypes: Readonly<Record<string, NodeType>> = {
  paragraph: schema.nodes.paragraph!,
  heading1: schema.nodes.heading!,
  heading2: schema.nodes.heading!,
  heading3: schema.nodes.heading!
}

/** Inserts a block of a kind, or turns the current text into it. Returns its position. */
export const applyKind = (transaction: Transaction, kind: BlockKind): number | undefined => {
  const node = kind.create()
  const { $from } = transaction.selection
  const { parent } = $from
  const isText = parent.type === schema.nodes.paragraph || parent.type === schema.nodes.heading
  const simple = simpleTypes[kind.id]
  if (simple !== undefined && isText) {
    const align = (parent.attrs.data as { readonly align?: string } | null)?.align
    const data = align === undefined ? (simple === schema.nodes.heading ? {} : null) : { align }
    const position = $from.before()
    transaction.setNodeMarkup(position, simple, { ...node.attrs, data, rest: parent.attrs.rest })
    return position
  }
  if (node.isInline) {
    const { from } = transaction.selection
    transaction.replaceSelectionWith(node, true)
    return from
  }
  const position = insertBlock(transaction, node)
  if (position !== undefined) selectInside(transaction, position)
  return position
}

/** Whether a position is in a cell of a table. */
export const isInCell = ($position: ResolvedPos): boolean => {
  for (let depth = $position.depth; depth > 0; depth--) {
    const role = $position.node(depth).type.spec.tableRole as string | undefined
    if (role === "cell" || role === "header_cell") return true
  }
  return false
}
