/** Edits the note of an annotation, as Markdown. */
import { markRangeAt, removeMarkAt } from "../commands/marks.ts"
import type { EditorContext } from "../context.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { element } from "./dom.ts"
import { Popover } from "./Popover.ts"

const annotation = schema.marks.annotation!

/** Opens the editor of the note at the cursor or of a new note on the selected text. */
export const editAnnotation = (context: EditorContext): void => {
  const view = context.view()
  const { messages } = context
  const known = markRangeAt(view.state, annotation)
  const { from, to } = known ?? view.state.selection
  if (from === to) return
  const body = (known?.mark.attrs.body ?? null) as JsonObject | null
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
  const save = async (): Promise<void> => {
    const { paragraphsFromMarkdown } = await import("../markdown.ts")
    const nodes = paragraphsFromMarkdown(input.value)
    const next = { object: "fragment", type: "annotation-body", ...body, nodes }
    close()
    view.dispatch(
      view.state.tr
        .removeMark(from, to, annotation)
        .addMark(from, to, annotation.create({ data: known?.mark.attrs.data ?? null, body: next }))
    )
  }
  const buttons = element(
    "div",
    { class: "editor-actions" },
    element("button", { type: "button", class: "editor-primary", click: () => void save() }, messages.done)
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
  if (body !== null) {
    input.disabled = true
    void import("../markdown.ts").then(({ markdownOfParagraphs }) => {
      input.value = markdownOfParagraphs(body.nodes)
      input.disabled = false
      input.focus()
    })
  }
}
