/** Lists that open while text is typed: blocks after `/`, people and pages after `@`, pages after `[[`, emojis after `:`. */
import { type EditorState, Plugin, TextSelection, type Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { schema } from "../schema/schema.ts"
import { Listbox, type Option } from "../ui/Listbox.ts"
import { Popover } from "../ui/Popover.ts"
import { optionsOf } from "./suggestionOptions.ts"

/** The kind of the suggested options. */
export type SuggestionKind = "block" | "mention" | "page" | "emoji"

/** Text that opens a list, with its query. */
export interface Trigger {
  readonly kind: SuggestionKind
  readonly query: string
  /** The whole text, with the characters that open the list. */
  readonly text: string
  readonly from: number
  readonly to: number
}

const maximumQuery = 60

const patterns: ReadonlyArray<readonly [SuggestionKind, RegExp]> = [
  ["block", /(?:^|\s)(\/([\p{L}\p{N}]*(?: [\p{L}\p{N}]+)?))$/u],
  ["page", /(\[\[([^\][]*))$/u],
  ["mention", /(?:^|[\s(])(@([\p{L}\p{N}._-]*(?: [\p{L}\p{N}]+)?))$/u],
  ["emoji", /(?:^|\s)(:([a-z0-9_+-]{2,}))$/iu]
]

/** Returns the text before the cursor that opens a list. */
export const triggerAt = (state: EditorState): Trigger | undefined => {
  const { $from, empty } = state.selection
  const { parent } = $from
  if (!empty || !parent.isTextblock || parent.type.spec.code === true) return undefined
  if (schema.marks.inline_code!.isInSet($from.marks())) return undefined
  const before = parent.textBetween(
    Math.max(0, $from.parentOffset - maximumQuery),
    $from.parentOffset,
    undefined,
    "\ufffc"
  )
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(before)
    if (match === null) continue
    const [, whole = "", query = ""] = match
    return { kind, query, text: whole, from: $from.pos - whole.length, to: $from.pos }
  }
  return undefined
}

const delayMs: Readonly<Record<SuggestionKind, number>> = { block: 0, emoji: 0, mention: 120, page: 120 }

/** The open list of an editor. */
class Suggestions {
  private readonly view: EditorView
  private readonly context: EditorContext
  private popover: Popover | undefined
  private list: Listbox | undefined
  private trigger: Trigger | undefined
  /** The position of a trigger that was dismissed by Escape. It does not open again. */
  private dismissed: number | undefined
  /** The trigger whose options are displayed. */
  private shown: Trigger | undefined
  private runsWhenShown = false
  private search = new AbortController()
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView, context: EditorContext) {
    this.view = view
    this.context = context
  }

  get isOpen(): boolean {
    return this.popover?.isOpen === true
  }

  update(transactionDocChanged: boolean): void {
    if (this.isAwaited()) return
    const trigger = triggerAt(this.view.state)
    if (trigger === undefined || trigger.from !== this.dismissed) this.dismissed = undefined
    const isSame = trigger?.from === this.trigger?.from && trigger?.query === this.trigger?.query
    if (trigger === undefined || trigger.from === this.dismissed) this.close()
    else if (this.isOpen ? !isSame : transactionDocChanged) this.open(trigger)
  }

  /** Whether an option was confirmed before the list had it, and the text of its trigger is unchanged. What is typed next is other text. */
  private isAwaited(): boolean {
    const { trigger } = this
    if (!this.runsWhenShown || trigger === undefined) return false
    const { doc } = this.view.state
    return (
      trigger.to <= doc.content.size &&
      doc.textBetween(trigger.from, trigger.to, "\n", "\ufffc") === trigger.text
    )
  }

  handleKey(event: KeyboardEvent): boolean {
    if (!this.isOpen || event.isComposing) return false
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        this.list?.move(event.key === "ArrowDown" ? 1 : -1)
        return true
      case "Enter":
      case "Tab":
        // The options of the last query are not displayed yet: they run when they are.
        if (this.shown !== this.trigger) {
          this.runsWhenShown = true
          return true
        }
        return this.list?.run() ?? false
      case "Escape":
        this.dismissed = this.trigger?.from
        this.close()
        return true
      default:
        return false
    }
  }

  close(): void {
    this.search.abort()
    clearTimeout(this.timer)
    this.popover?.close()
    this.popover = undefined
    this.trigger = undefined
    this.shown = undefined
    this.runsWhenShown = false
    const { dom } = this.view
    for (const name of ["aria-controls", "aria-activedescendant"]) dom.removeAttribute(name)
  }

  private open(trigger: Trigger): void {
    const isOther = this.trigger?.kind !== trigger.kind || !this.isOpen
    this.trigger = trigger
    if (isOther) this.create()
    clearTimeout(this.timer)
    this.search.abort()
    this.search = new AbortController()
    const { signal } = this.search
    const delay = delayMs[trigger.kind]
    if (delay === 0) void this.show(trigger, signal)
    else this.timer = setTimeout(() => void this.show(trigger, signal), delay)
  }

  private create(): void {
    this.popover?.close()
    const { messages, overlay } = this.context
    const { dom } = this.view
    this.popover = new Popover(overlay, {
      className: "editor-suggestions",
      role: "presentation",
      label: messages.suggestions
    })
    this.popover.element.removeAttribute("aria-label")
    this.list = new Listbox(messages.suggestions, (id) => {
      if (id === undefined) dom.removeAttribute("aria-activedescendant")
      else dom.setAttribute("aria-activedescendant", id)
    })
    dom.setAttribute("aria-controls", this.list.id)
    // The list scrolls, and its options are chosen from the text.
    this.list.element.tabIndex = 0
    this.popover.element.append(this.list.element)
  }

  private async show(trigger: Trigger, signal: AbortSignal): Promise<void> {
    const options = await optionsOf(this.context, this.view, trigger, signal, (change) =>
      this.apply(change)
    ).catch((): ReadonlyArray<Option> => [])
    if (signal.aborted || this.list === undefined) return
    // Text such as "and/or" that matches nothing is not a command.
    if (options.length === 0 && trigger.query.includes(" ")) {
      this.close()
      return
    }
    this.list.show(options, this.context.messages.noResults)
    this.popover?.placeAt(() => {
      try {
        const start = this.view.coordsAtPos(trigger.from)
        return { left: start.left, right: start.left, top: start.top, bottom: start.bottom }
      } catch {
        return undefined
      }
    })
    this.context.announce(this.context.messages.resultCount(options.length))
    this.shown = trigger
    if (this.runsWhenShown) this.list.run()
    this.runsWhenShown = false
  }

  /** Replaces the text that opened the list. */
  private apply(change: (transaction: Transaction) => void): void {
    const { trigger } = this
    if (trigger === undefined) return
    const { from, to } = trigger
    const { selection } = this.view.state
    this.close()
    const transaction = this.view.state.tr.delete(from, to)
    const isTypedOn = !selection.empty || selection.from !== to
    if (isTypedOn) transaction.setSelection(TextSelection.create(transaction.doc, from))
    change(transaction)
    if (isTypedOn) transaction.setSelection(selection.map(transaction.doc, transaction.mapping))
    this.view.dispatch(transaction.scrollIntoView())
    this.view.focus()
  }
}

/** Creates the plugin of the lists. */
export const suggestions = (context: EditorContext): Plugin => {
  let open: Suggestions | undefined
  return new Plugin({
    props: {
      handleKeyDown: (_, event) => open?.handleKey(event) ?? false,
      handleDOMEvents: {
        blur: () => {
          open?.close()
          return false
        }
      }
    },
    view: (view) => {
      open = new Suggestions(view, context)
      return {
        update: (next, before) => open?.update(next.state.doc !== before.doc),
        destroy: () => open?.close()
      }
    }
  })
}
