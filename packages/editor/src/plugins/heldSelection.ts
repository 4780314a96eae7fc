/** Displays the selected text while the focus is in a popover, such as that of a link. */
import { Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet } from "prosemirror-view"

const key = new PluginKey<boolean>("lectern-held-selection")

/**
 * Creates the plugin that displays the selection without the focus. With the focus, a style hides the decoration until the selection
 * changes: the focus by a click comes before its selection, which a change of the displayed text would undo.
 */
export const heldSelection = (): Plugin =>
  new Plugin<boolean>({
    key,
    state: {
      init: () => false,
      apply: (transaction, isHeld) => {
        const next = transaction.getMeta(key) as boolean | undefined
        return next ?? (isHeld && !transaction.selectionSet)
      }
    },
    props: {
      decorations: (state) => {
        const { from, to, empty, $from } = state.selection
        if (key.getState(state) !== true || empty || !$from.parent.inlineContent) return null
        return DecorationSet.create(state.doc, [Decoration.inline(from, to, { class: "editor-selection" })])
      },
      handleDOMEvents: {
        blur: (view) => {
          if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true))
          return false
        }
      }
    }
  })
