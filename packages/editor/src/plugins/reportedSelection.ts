/**
 * The selection of a key before the browser reports it. A busy browser reports it after the next key, which would change the text at the
 * former place, and after the next display, which would set the former selection again.
 */
import { Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"

/** Reads the selection of the last key. */
export const readSelection = (view: EditorView): void => {
  view.dom.ownerDocument.dispatchEvent(new Event("selectionchange"))
}

/** Reads the selection of the last key before another key is handled. */
export const reportedSelection = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (view, event) => {
          if (!event.isComposing) readSelection(view)
          return false
        }
      }
    }
  })
