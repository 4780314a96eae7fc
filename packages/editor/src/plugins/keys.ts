/** The keys of the editor. Ctrl+Alt is avoided, because it is AltGr on many keyboards. */
import {
  baseKeymap,
  chainCommands,
  exitCode,
  newlineInCode,
  setBlockType,
  toggleMark,
  wrapIn
} from "prosemirror-commands"
import { redo, undo } from "prosemirror-history"
import { undoInputRule } from "prosemirror-inputrules"
import { keymap } from "prosemirror-keymap"
import type { Command, Plugin } from "prosemirror-state"
import { Selection, TextSelection } from "prosemirror-state"
import { goToNextCell } from "prosemirror-tables"
import { selectBlock, splitBlock } from "../commands/blocks.ts"
import { continueAfter, goToEnd } from "../commands/ends.ts"
import { indentItem, outdentItem, splitItem, toggleList, toggleTask } from "../commands/lists.ts"
import { deleteBlocks, duplicateBlocks, moveBlocks } from "../commands/selectedBlocks.ts"
import { addRowAtEnd } from "../commands/tables.ts"
import { schema } from "../schema/schema.ts"
import { beginCode } from "./inputRules.ts"

const { nodes, marks } = schema

const insertBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type.spec.code) return false
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break!.create()).scrollIntoView())
  return true
}

/** Leaves the current container: adds a paragraph after it. */
const exitContainer: Command = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth - 1; depth >= 0; depth--) {
    const after = $from.indexAfter(depth)
    if (depth > 0 && depth === $from.depth - 1 && $from.node(depth).type.isInGroup("list")) continue
    if (!$from.node(depth).canReplaceWith(after, after, nodes.paragraph!)) continue
    if (depth === $from.depth - 1 && depth > 0) continue
    if (dispatch !== undefined) {
      const position = $from.after(depth + 1)
      const transaction = state.tr.insert(position, nodes.paragraph!.create())
      dispatch(transaction.setSelection(TextSelection.create(transaction.doc, position + 1)).scrollIntoView())
    }
    return true
  }
  return false
}

/** Enter in the title of an expandable block, or in a caption, continues after it. */
const leaveTitle: Command = (state, dispatch) => {
  const { $from } = state.selection
  const { parent } = $from
  if (parent.type === nodes.expandable_title) {
    dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve($from.after()), 1)).scrollIntoView())
    return true
  }
  const isCaption = parent.type === nodes.image || parent.type === nodes.embed || parent.type === nodes.file
  if (!isCaption) return false
  const depth = parent.type === nodes.image ? $from.depth - 1 : $from.depth
  const position = $from.after(depth)
  if (dispatch !== undefined) {
    const transaction = state.tr.insert(position, nodes.paragraph!.create())
    dispatch(transaction.setSelection(TextSelection.create(transaction.doc, position + 1)).scrollIntoView())
  }
  return true
}

/** Enter in an empty paragraph at the end of a container leaves the container. */
const leaveEmpty: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type !== nodes.paragraph || $from.parent.content.size > 0 || $from.depth < 2)
    return false
  const container = $from.node(-1)
  const isLeft = ["blockquote", "hint", "if"].includes(container.type.name)
  if (!isLeft || container.childCount < 2 || $from.index(-1) !== container.childCount - 1) return false
  if (dispatch !== undefined) {
    const transaction = state.tr.delete($from.before(), $from.after())
    const position = transaction.mapping.map($from.after(-1))
    transaction.insert(position, nodes.paragraph!.create())
    dispatch(transaction.setSelection(TextSelection.create(transaction.doc, position + 1)).scrollIntoView())
  }
  return true
}

/** Backspace at the start of a heading turns it into a paragraph. */
const resetHeading: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || $from.parent.type !== nodes.heading) return false
  return setBlockType(nodes.paragraph!)(state, dispatch)
}

const indentCode =
  (isOutdent: boolean): Command =>
  (state, dispatch) => {
    const { $from, $to, empty } = state.selection
    if ($from.parent.type !== nodes.code || !$from.sameParent($to)) return false
    if (dispatch === undefined) return true
    const start = $from.start()
    const text = $from.parent.textContent
    const first = text.lastIndexOf("\n", $from.parentOffset - 1) + 1
    const transaction = state.tr
    if (empty && !isOutdent) {
      dispatch(transaction.insertText("  ").scrollIntoView())
      return true
    }
    for (let line = first; line <= $to.parentOffset; ) {
      const at = transaction.mapping.map(start + line)
      const indent = /^ {1,2}|^\t/.exec(text.slice(line))?.[0].length ?? 0
      if (!isOutdent) transaction.insertText("  ", at)
      else if (indent > 0) transaction.delete(at, at + indent)
      const next = text.indexOf("\n", line)
      if (next < 0) break
      line = next + 1
    }
    dispatch(transaction.scrollIntoView())
    return true
  }

/**
 * Tab without an effect stays in the text: the next field is a hidden one of a block, such as the title of code. Escape selects the
 * block, from which Tab leaves the text.
 */
const stayInText: Command = ({ selection }) => selection instanceof TextSelection

const heading = (level: number): Command => setBlockType(nodes.heading!, { level, data: {} })

const isMac = typeof navigator !== "undefined" && /Mac|iP(?:hone|ad|od)/.test(navigator.platform)

const bindings: Readonly<Record<string, Command>> = {
  "Mod-z": undo,
  "Shift-Mod-z": redo,
  ...(isMac ? {} : { "Mod-y": redo }),
  "Mod-b": toggleMark(marks.bold!),
  "Mod-i": toggleMark(marks.italic!),
  "Mod-e": toggleMark(marks.inline_code!),
  "Mod-Shift-x": toggleMark(marks.strikethrough!),
  "Mod-Shift-k": toggleMark(marks.keyboard!),
  "Mod-.": toggleMark(marks.superscript!),
  "Mod-,": toggleMark(marks.subscript!),
  "Mod-Shift-0": setBlockType(nodes.paragraph!),
  "Mod-Shift-1": heading(1),
  "Mod-Shift-2": heading(2),
  "Mod-Shift-3": heading(3),
  "Mod-Shift-4": heading(4),
  "Mod-Shift-7": toggleList(nodes.list_ordered!),
  "Mod-Shift-8": toggleList(nodes.list_unordered!),
  "Mod-Shift-9": toggleList(nodes.list_tasks!),
  "Mod-Shift-b": wrapIn(nodes.blockquote!),
  "Alt-ArrowUp": moveBlocks(-1),
  "Alt-ArrowDown": moveBlocks(1),
  "Mod-Shift-d": duplicateBlocks,
  "Mod-Shift-Backspace": deleteBlocks,
  Escape: selectBlock,
  Tab: chainCommands(indentCode(false), goToNextCell(1), addRowAtEnd, indentItem, stayInText),
  "Shift-Tab": chainCommands(indentCode(true), goToNextCell(-1), outdentItem, stayInText),
  "Mod-]": indentItem,
  "Mod-[": outdentItem,
  "Shift-Enter": chainCommands(newlineInCode, insertBreak),
  "Mod-Enter": chainCommands(exitCode, toggleTask, exitContainer),
  Enter: chainCommands(beginCode, newlineInCode, leaveTitle, splitItem, leaveEmpty, splitBlock),
  Backspace: chainCommands(undoInputRule, resetHeading),
  ArrowDown: continueAfter,
  "Mod-End": goToEnd,
  ...(isMac ? { "Mod-ArrowDown": goToEnd } : {})
}

/** Creates the plugins of the keys. */
export const keys = (): ReadonlyArray<Plugin> => [keymap(bindings), keymap(baseKeymap)]
