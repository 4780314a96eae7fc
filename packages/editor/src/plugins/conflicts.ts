/** Displays the conflicts of a merge in the text, each with both versions and a choice. */
import { DOMSerializer, type Fragment, type Node } from "prosemirror-model"
import { Plugin, PluginKey, TextSelection } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { readContent } from "../convert/readBlocks.ts"
import { isWritten } from "../convert/writeBlocks.ts"
import type { MergedPart } from "../saving/mergeDocuments.ts"
import { schema } from "../schema/schema.ts"
import { element, uniqueId } from "../ui/dom.ts"

/** A conflict: the blocks of the writer between two positions, and the blocks of another user. */
export interface Conflict {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly theirs: Fragment
}

interface Action {
  readonly add?: ReadonlyArray<Conflict>
  readonly remove?: string
}

const key = new PluginKey<ReadonlyArray<Conflict>>("lectern-conflicts")

/** Returns the conflicts that are not resolved. */
export const conflictsOf = (view: EditorView): ReadonlyArray<Conflict> => key.getState(view.state) ?? []

const resolve = (view: EditorView, { id }: Conflict, choice: "mine" | "theirs" | "both"): void => {
  const conflict = conflictsOf(view).find((one) => one.id === id)
  if (conflict === undefined) return
  const { from, to, theirs } = conflict
  const transaction = view.state.tr.setMeta(key, { remove: id } satisfies Action)
  if (choice === "both") transaction.insert(to, theirs)
  if (choice === "theirs") {
    const isEmptied = theirs.size === 0 && from === 0 && to === view.state.doc.content.size
    transaction.replaceWith(from, to, isEmptied ? schema.nodes.paragraph!.create() : theirs)
  }
  view.dispatch(transaction)
  view.focus()
}

/** Moves the cursor into the own version of a conflict: the version of the other person cannot be edited. */
const editMine = (view: EditorView, event: Event, id: string): void => {
  const conflict = conflictsOf(view).find((one) => one.id === id)
  if (conflict === undefined || (event.target instanceof Element && event.target.closest("button") !== null))
    return
  event.preventDefault()
  const { doc, tr } = view.state
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(conflict.to), -1)).scrollIntoView())
  view.focus()
}

const render = (context: EditorContext, view: EditorView, conflict: Conflict): HTMLElement => {
  const { messages } = context
  const theirs = element("div", { class: "content editor-conflict-theirs", inert: true })
  if (conflict.theirs.size === 0) theirs.append(element("p", {}, messages.removedByThem))
  else theirs.append(DOMSerializer.fromSchema(schema).serializeFragment(conflict.theirs))
  const button = (label: string, choice: "mine" | "theirs" | "both"): HTMLElement =>
    element("button", { type: "button", click: () => resolve(view, conflict, choice) }, label)
  return element(
    "div",
    {
      class: "editor-conflict",
      role: "group",
      "aria-label": messages.conflict,
      contenteditable: "false",
      tabindex: -1,
      "data-conflict": conflict.id,
      mousedown: (event) => editMine(view, event, conflict.id)
    },
    element("strong", {}, messages.theirs),
    theirs,
    element(
      "div",
      { class: "editor-actions" },
      button(messages.keepMine, "mine"),
      button(messages.keepTheirs, "theirs"),
      button(messages.keepBoth, "both")
    ),
    element("strong", {}, messages.mine)
  )
}

/** Creates the plugin of conflicts. `onCount` is called when their number changes. */
export const conflicts = (context: EditorContext, onCount: (count: number) => void): Plugin =>
  new Plugin<ReadonlyArray<Conflict>>({
    key,
    state: {
      init: () => [],
      apply: (transaction, list) => {
        const action = transaction.getMeta(key) as Action | undefined
        if (!transaction.docChanged && action === undefined) return list
        const mapped = list
          .filter(({ id }) => id !== action?.remove)
          .map((conflict) => ({
            ...conflict,
            from: transaction.mapping.map(conflict.from, -1),
            to: transaction.mapping.map(conflict.to, 1)
          }))
        return action?.add === undefined ? mapped : [...mapped, ...action.add]
      }
    },
    props: {
      decorations: (state) => {
        const list = key.getState(state) ?? []
        if (list.length === 0) return null
        return DecorationSet.create(
          state.doc,
          list.flatMap((conflict) => {
            const widget = Decoration.widget(conflict.from, (view) => render(context, view, conflict), {
              key: conflict.id,
              side: -1,
              ignoreSelection: true,
              stopEvent: () => true
            })
            const mine: Array<Decoration> = []
            state.doc.nodesBetween(conflict.from, conflict.to, (node, position) => {
              if (position >= conflict.from && position + node.nodeSize <= conflict.to)
                mine.push(
                  Decoration.node(position, position + node.nodeSize, { class: "editor-conflict-mine" })
                )
              return false
            })
            return [widget, ...mine]
          })
        )
      }
    },
    view: () => ({
      update: (view, before) => {
        const [now, was] = [key.getState(view.state)?.length ?? 0, key.getState(before)?.length ?? 0]
        if (now !== was) onCount(now)
      }
    })
  })

/** Moves the cursor to the next conflict, and its choices into view. */
export const showNextConflict = (view: EditorView): void => {
  const [first] = conflictsOf(view)
  if (first === undefined) return
  view.dispatch(
    view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(first.from))).scrollIntoView()
  )
  const dom = view.dom.querySelector<HTMLElement>(`[data-conflict="${first.id}"]`)
  dom?.scrollIntoView({ block: "center" })
  dom?.querySelector<HTMLElement>("button")?.focus()
}

/** The positions of the blocks of a document in the editor. Other nodes are not blocks of the document. */
const blockPositions = (doc: Node): ReadonlyArray<number> => {
  const positions: Array<number> = []
  doc.forEach((node, offset) => {
    if (isWritten(node)) positions.push(offset)
  })
  return positions
}

/** Applies the parts of a merge to the text: replaces the blocks that another user changed, and adds the conflicts. Returns their number. */
export const applyMerge = (
  view: EditorView,
  parts: ReadonlyArray<MergedPart>,
  isUndoable = false
): number => {
  const { doc } = view.state
  const positions = blockPositions(doc)
  const endOf = (index: number): number =>
    index < positions.length
      ? positions[index]!
      : doc.children.reduce(
          (sum, node) => (node.type === schema.nodes.footnote ? sum : sum + node.nodeSize),
          0
        )
  const transaction = view.state.tr.setMeta("addToHistory", isUndoable)
  const added: Array<Conflict> = []
  for (const { from, to, blocks, conflict } of parts) {
    if (blocks === undefined && conflict === undefined) continue
    const start = transaction.mapping.map(endOf(from), 1)
    const end =
      to > from
        ? transaction.mapping.map(positions[to - 1]! + doc.nodeAt(positions[to - 1]!)!.nodeSize, -1)
        : start
    if (conflict !== undefined) {
      const theirs = conflict.length === 0 ? readContent([]).cut(0, 0) : readContent(conflict)
      added.push({ id: uniqueId("conflict"), from: start, to: end, theirs })
    } else if (blocks !== undefined) {
      if (blocks.length === 0) transaction.delete(start, end)
      else transaction.replaceWith(start, end, readContent(blocks))
    }
  }
  if (transaction.doc.content.size === 0) transaction.insert(0, readContent([]))
  // Later parts change the positions of earlier conflicts only after them: parts are in order.
  transaction.setMeta(key, { add: added } satisfies Action)
  view.dispatch(transaction)
  return conflictsOf(view).length
}
