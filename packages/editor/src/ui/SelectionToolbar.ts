/** The toolbar above selected text. */
import { toggleMark } from "prosemirror-commands"
import type { MarkType } from "prosemirror-model"
import { type Command, NodeSelection, Plugin, TextSelection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { clearMarks, hasMark, setColor } from "../commands/marks.ts"
import type { EditorContext } from "../context.ts"
import { schema } from "../schema/schema.ts"
import { editAnnotation } from "./AnnotationEditor.ts"
import { element, iconButton } from "./dom.ts"
import { openLinkEditor } from "./LinkEditor.ts"
import { Popover } from "./Popover.ts"

const { marks } = schema

/** The colors that text and its background can have. */
const colors = [
  "default",
  "green",
  "blue",
  "red",
  "orange",
  "yellow",
  "purple",
  "$primary",
  "$info",
  "$success",
  "$warning",
  "$danger"
]

interface MarkButton {
  readonly type: MarkType
  readonly icon: string
  readonly label: string
  readonly shortcut: string
}

class Toolbar {
  private readonly view: EditorView
  private readonly context: EditorContext
  private popover: Popover | undefined
  private isPointerDown = false
  /** The selection for which the toolbar was closed by Escape. */
  private dismissed: string | undefined
  private readonly listening = new AbortController()

  constructor(view: EditorView, context: EditorContext) {
    this.view = view
    this.context = context
    const { signal } = this.listening
    // A toolbar that moves below the pointer while text is selected would end the selection.
    view.dom.addEventListener("pointerdown", () => this.setPointer(true), { signal })
    document.addEventListener("pointerup", () => this.setPointer(false), { signal })
  }

  private setPointer(isDown: boolean): void {
    this.isPointerDown = isDown
    if (!isDown) setTimeout(() => !this.listening.signal.aborted && this.update())
  }

  /** Ends the toolbar: the plugins of another document have their own. */
  destroy(): void {
    this.listening.abort()
    this.close()
  }

  get selectionKey(): string {
    const { from, to } = this.view.state.selection
    return `${from} ${to}`
  }

  update(): void {
    if (this.listening.signal.aborted) return
    const { selection } = this.view.state
    const isText =
      selection instanceof TextSelection && !selection.empty && selection.$from.parent.inlineContent
    const isAllowed = isText && selection.$from.parent.type !== schema.nodes.code && this.view.editable
    if (this.selectionKey !== this.dismissed) this.dismissed = undefined
    const isFocused = this.view.hasFocus() || this.popover?.element.contains(document.activeElement) === true
    if (!isAllowed || this.isPointerDown || this.dismissed !== undefined || !isFocused) {
      this.close()
      return
    }
    if (this.popover?.isOpen !== true) this.open()
    this.refresh()
    this.popover?.placeAt(() => {
      const { from, to } = this.view.state.selection
      try {
        const [start, end] = [this.view.coordsAtPos(from), this.view.coordsAtPos(to, -1)]
        return {
          left: Math.min(start.left, end.left),
          right: Math.max(start.right, end.right),
          top: start.top,
          bottom: end.bottom
        }
      } catch {
        return undefined
      }
    })
  }

  close(): void {
    this.popover?.close()
    this.popover = undefined
  }

  /** Moves the focus to the toolbar. Returns whether it is open. */
  focus(): boolean {
    const button = this.popover?.element.querySelector<HTMLElement>("button")
    button?.focus()
    return button !== undefined && button !== null
  }

  dismiss(): boolean {
    if (this.popover?.isOpen !== true) return false
    this.dismissed = this.selectionKey
    this.close()
    return true
  }

  private run(command: Command): void {
    command(this.view.state, this.view.dispatch)
    this.view.focus()
  }

  private get markButtons(): ReadonlyArray<MarkButton> {
    const { messages } = this.context
    const button = (type: MarkType, icon: string, name: string, shortcut: string): MarkButton => ({
      type,
      icon,
      label: messages.marks[name] ?? name,
      shortcut
    })
    return [
      button(marks.bold!, "bold", "bold", "Mod+B"),
      button(marks.italic!, "italic", "italic", "Mod+I"),
      button(marks.strikethrough!, "strikethrough", "strikethrough", "Mod+Shift+X"),
      button(marks.inline_code!, "code", "code", "Mod+E"),
      button(marks.keyboard!, "keyboard", "keyboard", "Mod+Shift+K"),
      button(marks.superscript!, "superscript", "superscript", "Mod+."),
      button(marks.subscript!, "subscript", "subscript", "Mod+,")
    ]
  }

  private open(): void {
    const { messages, overlay } = this.context
    const popover = new Popover(overlay, {
      className: "editor-toolbar",
      role: "toolbar",
      label: messages.formatting,
      isAbove: true
    })
    this.popover = popover
    const keep = { pointerdown: (event: Event) => event.preventDefault() }
    const buttons = this.markButtons.map(({ type, icon, label, shortcut }) =>
      iconButton(icon, `${label} (${shortcutText(shortcut)})`, () => this.run(toggleMark(type)), {
        ...keep,
        "data-mark": type.name,
        "aria-pressed": "false",
        "aria-label": label
      })
    )
    const link = iconButton(
      "link",
      `${messages.link} (${shortcutText("Mod+K")})`,
      () => openLinkEditor(this.context),
      { ...keep, "data-mark": "link" }
    )
    const color = iconButton("palette", messages.color, () => this.openColors(color), keep)
    const annotation = iconButton("note-sticky", messages.annotation, () => editAnnotation(this.context), {
      ...keep,
      "data-mark": "annotation"
    })
    const clear = iconButton("xmark", messages.clear, () => this.run(clearMarks), keep)
    const comment =
      this.context.backend?.comments === undefined
        ? undefined
        : iconButton("comment", messages.comment, () => this.context.comment?.(), keep)
    popover.element.append(
      ...buttons,
      link,
      color,
      annotation,
      clear,
      ...(comment === undefined ? [] : [comment])
    )
    for (const [index, button] of popover.element.querySelectorAll("button").entries())
      button.tabIndex = index === 0 ? 0 : -1
    popover.element.addEventListener("keydown", (event) => this.handleKey(event))
  }

  /** The arrow keys move between the buttons; Escape returns to the text. */
  private handleKey(event: KeyboardEvent): void {
    const buttons = Array.from(this.popover?.element.querySelectorAll("button") ?? [])
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const isRtl = getComputedStyle(this.context.root).direction === "rtl"
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (event.key === "Escape") {
      this.dismissed = this.selectionKey
      this.view.focus()
    }
    if (step === 0 || at < 0) return
    event.preventDefault()
    buttons[(at + (isRtl ? -step : step) + buttons.length) % buttons.length]?.focus()
  }

  private refresh(): void {
    for (const button of this.popover?.element.querySelectorAll<HTMLElement>("[data-mark]") ?? []) {
      const type = marks[button.dataset.mark!]!
      button.setAttribute("aria-pressed", String(hasMark(this.view.state, type)))
    }
  }

  private openColors(button: HTMLElement): void {
    const { messages, overlay } = this.context
    const popover = new Popover(overlay, {
      className: "editor-colors",
      label: messages.color,
      onClose: () => this.view.focus()
    })
    const { from, to } = this.view.state.selection
    let current = { text: "default", background: "default" }
    this.view.state.doc.nodesBetween(from, to, (node) => {
      const mark = marks.color!.isInSet(node.marks)
      if (mark) current = mark.attrs as typeof current
    })
    const swatches = (kind: "text" | "background"): HTMLElement =>
      element(
        "div",
        { role: "group", "aria-label": messages.colorKinds[kind], class: "editor-swatches" },
        ...colors.map((name) =>
          element(
            "button",
            {
              type: "button",
              class: `editor-swatch ${kind === "text" ? "c" : "bg"}-${name.replace("$", "")}`,
              "aria-label": messages.colors[name.replace("$", "")] ?? name,
              title: messages.colors[name.replace("$", "")] ?? name,
              "aria-pressed": String(current[kind] === name),
              click: () => {
                const next = { ...current, [kind]: name }
                popover.close()
                this.run(setColor(next.text, next.background))
              }
            },
            "A"
          )
        )
      )
    popover.element.append(
      element("span", { class: "editor-list-group", "aria-hidden": "true" }, messages.colorKinds.text),
      swatches("text"),
      element("span", { class: "editor-list-group", "aria-hidden": "true" }, messages.colorKinds.background),
      swatches("background")
    )
    popover.placeAt(() => (button.isConnected ? button.getBoundingClientRect() : undefined))
    popover.element.querySelector("button")?.focus()
  }
}

const isMac = typeof navigator !== "undefined" && /Mac|iP(?:hone|ad|od)/.test(navigator.platform)

/** Returns a shortcut as the keyboard of the platform labels it. */
export const shortcutText = (shortcut: string): string =>
  isMac
    ? shortcut.replace("Mod", "⌘").replace("Shift", "⇧").replace("Alt", "⌥").replaceAll("+", "")
    : shortcut.replace("Mod", "Ctrl")

/** Creates the plugin of the toolbar. */
export const selectionToolbar = (context: EditorContext): Plugin => {
  let toolbar: Toolbar | undefined
  return new Plugin({
    props: {
      handleKeyDown: (view, event) => {
        const isModified = event.ctrlKey || event.metaKey
        if (event.key === "Escape" && toolbar?.dismiss() === true) return true
        if (event.key === "F10" && event.altKey && toolbar?.focus() === true) return true
        if (!isModified || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return false
        const { selection } = view.state
        if (selection instanceof NodeSelection || !selection.$from.parent.inlineContent) return false
        // The browser reports the selection of the previous key after this one.
        setTimeout(() => !context.signal.aborted && openLinkEditor(context))
        return true
      },
      handleDOMEvents: {
        blur: () => {
          setTimeout(() => !context.signal.aborted && toolbar?.update())
          return false
        },
        focus: () => {
          setTimeout(() => !context.signal.aborted && toolbar?.update())
          return false
        }
      }
    },
    view: (view) => {
      const own = new Toolbar(view, context)
      toolbar = own
      return {
        update: (next, before) => {
          if (next.state.selection.eq(before.selection) && next.state.doc === before.doc) return
          toolbar?.update()
        },
        destroy: () => own.destroy()
      }
    }
  })
}
