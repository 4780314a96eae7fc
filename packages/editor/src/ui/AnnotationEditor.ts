/** Edits the note of an annotation, as Markdown. */
import type { Mark } from "prosemirror-model"
import { TextSelection } from "prosemirror-state"
import { markRangeAt, removeMarkAt } from "../commands/marks.ts"
import type { EditorContext } from "../context.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { element } from "./dom.ts"
import { Popover } from "./Popover.ts"

const annotation = schema.marks.annotation!

/** A range of the text that moves with it. */
interface TrackedRange {
  readonly current: () => { readonly from: number; readonly to: number }
  readonly end: () => void
}

const trackRange = (context: EditorContext, from: number, to: number): TrackedRange => {
  let range = { from, to }
  const untrackFrom = context.trackPosition(
    from,
    (next = range.from) => {
      range = { ...range, from: next }
    },
    1
  )
  const untrackTo = context.trackPosition(
    to,
    (next = range.to) => {
      range = { ...range, to: next }
    },
    -1
  )
  return {
    current: () => range,
    end: () => {
      untrackFrom()
      untrackTo()
    }
  }
}

/** Sets the note of a range. The text can change while the Markdown engine is loaded. */
const applyNote = async (
  context: EditorContext,
  range: TrackedRange,
  known: Mark | undefined,
  markdown: string
): Promise<void> => {
  const engine = await import("../markdown.ts").catch(() => undefined)
  const { from, to } = range.current()
  range.end()
  const { dispatch, state } = context.view()
  if (context.signal.aborted || from >= to || to > state.doc.content.size) return
  if (engine === undefined) {
    // The writer has the note again, and can repeat.
    context.announce(context.messages.offline)
    dispatch(state.tr.setSelection(TextSelection.create(state.doc, from, to)))
    editAnnotation(context, markdown)
    return
  }
  const before = known?.attrs.body as JsonObject | null | undefined
  const nodes = engine.paragraphsFromMarkdown(markdown)
  const body = { object: "fragment", type: "annotation-body", ...before, nodes }
  const mark = annotation.create({ data: known?.attrs.data ?? null, body })
  dispatch(state.tr.removeMark(from, to, annotation).addMark(from, to, mark))
}

/** Opens the editor of the note at the cursor or of a new note on the selected text. `typed` is a note that was not applied. */
export const editAnnotation = (context: EditorContext, typed?: string): void => {
  const view = context.view()
  const { messages } = context
  const known = markRangeAt(view.state, annotation)
  const { from, to } = known ?? view.state.selection
  if (from === to) return
  const body = (known?.mark.attrs.body ?? null) as JsonObject | null
  // The engine is needed when the note is applied.
  void import("../markdown.ts").catch(() => undefined)
  const popover = new Popover(context.overlay, {
    className: "editor-annotation",
    label: messages.annotation,
    onClose: () => view.focus()
  })
  const input = element("textarea", {
    rows: 4,
    "aria-label": messages.annotation,
    placeholder: messages.annotationPlaceholder
  })
  const close = (): void => {
    popover.close()
    view.focus()
  }
  // The popover is closed immediately, so that the next keys change the text.
  const save = (): void => {
    const range = trackRange(context, from, to)
    close()
    void applyNote(context, range, known?.mark, input.value)
  }
  const buttons = element(
    "div",
    { class: "editor-actions" },
    element("button", { type: "button", class: "editor-primary", click: save }, messages.done)
  )
  if (known !== undefined) {
    buttons.append(
      element(
        "button",
        {
          type: "button",
          click: () => {
            close()
            removeMarkAt(annotation)(view.state, view.dispatch)
          }
        },
        messages.remove
      )
    )
  }
  popover.element.append(input, buttons)
  popover.placeAt(() => {
    const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
    return { left: start.left, right: end.right, top: start.top, bottom: end.bottom }
  })
  input.focus()
  if (typed !== undefined) input.value = typed
  else if (body !== null) {
    input.disabled = true
    import("../markdown.ts").then(
      ({ markdownOfParagraphs }) => {
        input.value = markdownOfParagraphs(body.nodes)
        input.disabled = false
        input.focus()
      },
      () => {
        close()
        context.announce(messages.offline)
      }
    )
  }
}
