/** The menu of a block: its conversions and its commands. */
import { NodeSelection, TextSelection } from "prosemirror-state"
import { isInTable } from "prosemirror-tables"
import { blockKinds } from "../commands/blockKinds.ts"
import { applyKind, deleteBlock, duplicateBlock, isInCell, moveBlock } from "../commands/blocks.ts"
import { toggleList } from "../commands/lists.ts"
import type { EditorContext } from "../context.ts"
import { writeBlock } from "../convert/writeBlocks.ts"
import { schema } from "../schema/schema.ts"
import { Menu, type MenuItem } from "./Menu.ts"
import { shortcutText } from "./SelectionToolbar.ts"
import { hasSettings, openSettings } from "./SettingsForm.ts"
import { tableItems } from "./tableItems.ts"

const turnable = [
  "paragraph",
  "heading1",
  "heading2",
  "heading3",
  "bullets",
  "numbers",
  "tasks",
  "quote",
  "hint",
  "code"
]

const lists: Readonly<Record<string, string>> = {
  bullets: "list_unordered",
  numbers: "list_ordered",
  tasks: "list_tasks"
}

/** Turns the block at a position into one of another kind, with its text. */
const turnInto = (context: EditorContext, position: number, id: string): void => {
  const view = context.view()
  const { state } = view
  const node = state.doc.nodeAt(position)
  const kind = blockKinds.find((one) => one.id === id)
  if (node === null || kind === undefined) return
  const inside = TextSelection.near(state.doc.resolve(position + 1))
  const selected = state.apply(state.tr.setSelection(inside))
  const list = lists[id]
  if (list !== undefined) {
    toggleList(schema.nodes[list]!)(selected, (transaction) => {
      view.dispatch(state.tr.setSelection(inside))
      const steps = view.state.tr
      for (const step of transaction.steps) steps.step(step)
      view.dispatch(steps)
    })
    return
  }
  const transaction = state.tr.setSelection(inside)
  if (id === "code" && node.isTextblock)
    transaction.setBlockType(position, position + node.nodeSize, schema.nodes.code!, { data: {} })
  else if (id === "quote" || id === "hint") {
    const range = transaction.doc
      .resolve(position)
      .blockRange(transaction.doc.resolve(position + node.nodeSize))
    const wrapper = kind.create()
    if (range !== null) transaction.wrap(range, [{ type: wrapper.type, attrs: wrapper.attrs }])
  } else if (node.type === schema.nodes.code) {
    transaction.setBlockType(position, position + node.nodeSize, schema.nodes.paragraph!)
  } else applyKind(transaction, kind)
  view.dispatch(transaction)
}

/** Copies a block as Markdown. */
export const copyMarkdown = async (context: EditorContext, nodes: ReadonlyArray<unknown>): Promise<void> => {
  const { markdownOfBlocks } = await import("../markdown.ts")
  await navigator.clipboard.writeText(markdownOfBlocks(nodes))
  context.announce(context.messages.copied)
}

/** Opens the menu of the block at a position, next to an element or to the block. */
export const openBlockMenu = (
  context: EditorContext,
  position: number,
  anchor: () => DOMRect | undefined
): void => {
  const view = context.view()
  const node = view.state.doc.nodeAt(position)
  if (node === null) return
  const { messages } = context
  const run = (command: typeof deleteBlock) => () => {
    const current = view.state
    const selection = NodeSelection.isSelectable(node)
      ? NodeSelection.create(current.doc, position)
      : current.selection
    view.dispatch(current.tr.setSelection(selection))
    command(view.state, view.dispatch)
    view.focus()
  }
  const isText = node.isTextblock || node.type.isInGroup("list")
  const isCell = isInCell(view.state.doc.resolve(position))
  const turns: ReadonlyArray<MenuItem> = isText
    ? blockKinds
        .filter(({ id, isInCells }) => turnable.includes(id) && (!isCell || isInCells === true))
        .map(({ id, icon }) => ({
          title: messages.blocks[id] ?? id,
          icon,
          group: messages.turnInto,
          run: () => {
            turnInto(context, position, id)
            view.focus()
          }
        }))
    : []
  const actions: ReadonlyArray<MenuItem> = [
    ...(hasSettings(node)
      ? [{ title: messages.settings, icon: "pen", run: () => openSettings(context, position) }]
      : []),
    { title: messages.moveUp, icon: "arrow-up", shortcut: shortcutText("Alt+↑"), run: run(moveBlock(-1)) },
    { title: messages.moveDown, icon: "arrow-down", shortcut: shortcutText("Alt+↓"), run: run(moveBlock(1)) },
    {
      title: messages.duplicate,
      icon: "copy",
      shortcut: shortcutText("Mod+Shift+D"),
      run: run(duplicateBlock)
    },
    {
      title: messages.copyMarkdown,
      icon: "clipboard",
      run: () => void copyMarkdown(context, [writeBlock(node)])
    },
    ...(context.comment === undefined
      ? []
      : [{ title: messages.comment, icon: "comment", run: () => context.comment?.(position) }]),
    { title: messages.delete, icon: "trash", shortcut: shortcutText("Mod+Shift+⌫"), run: run(deleteBlock) }
  ]
  const inTable =
    isInTable(view.state) && (node.type === schema.nodes.table || node.type === schema.nodes.table_row)
  new Menu(context, messages.blockMenu, [...(inTable ? tableItems(context) : []), ...actions, ...turns]).open(
    anchor
  )
}
