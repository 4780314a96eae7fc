/** Commands on lists. */
import type { Node, NodeType } from "prosemirror-model"
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list"
import type { Command, EditorState, Transaction } from "prosemirror-state"
import { schema } from "../schema/schema.ts"

const item = schema.nodes.list_item!
const tasks = schema.nodes.list_tasks!

interface PlacedList {
  readonly node: Node
  readonly position: number
}

const listAround = (state: EditorState): PlacedList | undefined => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type.isInGroup("list")) return { node, position: $from.before(depth) }
  }
  return undefined
}

const withChecked = (data: unknown, isTask: boolean): object | null => {
  const { checked, ...others } = (data ?? {}) as { readonly checked?: boolean }
  if (isTask) return { ...others, checked: checked ?? false }
  return Object.keys(others).length === 0 ? null : others
}

/** Sets the data of the items of a list: items of tasks are checked or not. */
const setItems = (transaction: Transaction, position: number, isTask: boolean): void => {
  const list = transaction.doc.nodeAt(position)
  list?.forEach((child, offset) => {
    const data = withChecked(child.attrs.data, isTask)
    transaction.setNodeMarkup(position + 1 + offset, null, { ...child.attrs, data })
  })
}

/** Turns the current blocks into a list, a list into one of another type, and a list of this type into paragraphs. */
export const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const around = listAround(state)
    if (around !== undefined && around.node.type === type) return liftListItem(item)(state, dispatch)
    if (around !== undefined) {
      if (dispatch !== undefined) {
        const { position, node } = around
        const transaction = state.tr.setNodeMarkup(position, type, { data: null, rest: node.attrs.rest })
        setItems(transaction, position, type === tasks)
        dispatch(transaction)
      }
      return true
    }
    return wrapInList(type)(
      state,
      dispatch &&
        ((transaction) => {
          if (type === tasks) {
            const { $from } = transaction.selection
            for (let depth = $from.depth; depth > 0; depth--) {
              if ($from.node(depth).type !== tasks) continue
              setItems(transaction, $from.before(depth), true)
              break
            }
          }
          dispatch(transaction)
        })
    )
  }

/** Divides an item at the cursor. An empty item moves out of its list, which ends the list. */
export const splitItem: Command = (state, dispatch) => {
  const { $from } = state.selection
  const current = $from.depth > 1 ? $from.node(-1) : undefined
  if (current?.type !== item) return false
  if (state.selection.empty && current.childCount === 1 && $from.parent.content.size === 0)
    return liftListItem(item)(state, dispatch)
  const isTask = $from.node(-2).type === tasks
  const { spread } = (current.attrs.data ?? {}) as { readonly spread?: boolean }
  const data = { ...(spread === undefined ? {} : { spread }), ...(isTask ? { checked: false } : {}) }
  return splitListItem(item, { data: Object.keys(data).length === 0 ? null : data })(state, dispatch)
}

/** Nests the current item below the previous one. */
export const indentItem: Command = sinkListItem(item)

/** Moves the current item out of its list. */
export const outdentItem: Command = liftListItem(item)

/** Checks or unchecks the current task. */
export const toggleTask: Command = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type !== item || $from.node(depth - 1).type !== tasks) continue
    const { checked } = (node.attrs.data ?? {}) as { readonly checked?: boolean }
    const data = { ...(node.attrs.data as object | null), checked: checked !== true }
    dispatch?.(state.tr.setNodeMarkup($from.before(depth), null, { ...node.attrs, data }))
    return true
  }
  return false
}
