/** Edits the link at the cursor or of the selected text. */
import { markRangeAt, removeMarkAt, setLink } from "../commands/marks.ts"
import type { EditorContext } from "../context.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { element, iconElement } from "./dom.ts"
import { linkPicker } from "./LinkPicker.ts"
import { Popover } from "./Popover.ts"

const link = schema.marks.link!

/** Opens the editor of the link at the cursor or of the selected text. */
export const openLinkEditor = (context: EditorContext): void => {
  const view = context.view()
  const { messages } = context
  const known = markRangeAt(view.state, link)
  const ref = (known?.mark.attrs.data as { readonly ref?: JsonObject } | undefined)?.ref
  const popover = new Popover(context.overlay, {
    className: "editor-link-popover",
    label: messages.link,
    onClose: () => view.focus()
  })
  const close = (): void => {
    popover.close()
    view.focus()
  }
  popover.element.append(
    linkPicker(context, {
      kind: "link",
      label: messages.link,
      value: typeof ref?.url === "string" ? ref.url : "",
      onPick: (target, title) => {
        close()
        setLink(target, title)(view.state, view.dispatch)
      }
    })
  )
  if (known !== undefined && ref !== undefined) {
    const actions = element("div", { class: "editor-actions" })
    context.resolve(ref, (found) => {
      if (found?.href === undefined) return
      actions.prepend(
        element(
          "a",
          { href: found.href, target: "_blank", rel: "noopener noreferrer" },
          iconElement("arrow-up-right-from-square"),
          messages.open
        )
      )
    })
    const remove = element(
      "button",
      {
        type: "button",
        click: () => {
          close()
          removeMarkAt(link)(view.state, view.dispatch)
        }
      },
      iconElement("link-slash"),
      messages.removeLink
    )
    actions.append(remove)
    popover.element.append(actions)
  }
  popover.placeAt(() => {
    const { from, to } = known ?? view.state.selection
    const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
    return { left: start.left, right: end.right, top: start.top, bottom: end.bottom }
  })
  popover.element.querySelector("input")?.focus()
}
