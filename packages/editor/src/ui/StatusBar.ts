/** The line below the text that displays where the text is saved. */
import type { EditorContext } from "../context.ts"
import { nameOfType } from "../convert/blockTypes.ts"
import type { SaveStatus } from "../saving/SaveStatus.ts"
import { element } from "./dom.ts"

/** The actions of the line. */
export interface StatusActions {
  readonly save: () => void
  readonly nextConflict: () => void
  readonly toggleMarkdown: () => void
  /** Returns the number of words of the text. */
  readonly wordCount: () => number
  /** Displays the changes against the base, or no longer. Absent without a base. */
  readonly toggleChanges?: () => void
}

const noticeMs = 8_000
/** The rest after a change, until the words are counted: this takes longer in a long document. */
const countMs = 500

/** Returns why the server did not accept the text, with the place of the block if it is known. */
const reasonOf = (
  messages: EditorContext["messages"],
  { message, block }: Extract<SaveStatus, { readonly _tag: "Failed" }>
): string => {
  if (block === undefined) return message
  const name = block.type.startsWith("heading-") ? "heading" : nameOfType(block.type)
  return `${messages.blockAt(block.index + 1, messages.nodes[name] ?? "")}: ${message}.`
}

/** The line below the text. */
export class StatusBar {
  private readonly context: EditorContext
  private readonly actions: StatusActions
  private readonly text = element("span", { class: "editor-status-text", role: "status" })
  private readonly notice = element("span", { class: "editor-status-notice" })
  private readonly others = element("span", { class: "editor-status-others" })
  private readonly words = element("span", { class: "editor-status-words" })
  private readonly button = element("button", { type: "button", hidden: true })
  private readonly changes: HTMLButtonElement
  private readonly dom: HTMLElement
  private action: () => void = () => undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private countTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parent: HTMLElement, context: EditorContext, actions: StatusActions) {
    this.context = context
    this.actions = actions
    this.button.addEventListener("click", () => this.action())
    const markdown = element(
      "button",
      { type: "button", class: "editor-status-view", click: () => actions.toggleMarkdown() },
      context.messages.markdownView
    )
    this.changes = element(
      "button",
      {
        type: "button",
        class: "editor-status-view",
        "aria-pressed": "false",
        click: () => actions.toggleChanges?.()
      },
      context.messages.showChanges
    )
    this.dom = element(
      "div",
      { class: "editor-status" },
      this.text,
      this.button,
      this.notice,
      this.others,
      this.words,
      actions.toggleChanges !== undefined && this.changes,
      markdown
    )
    parent.append(this.dom)
    context.signal.addEventListener("abort", () => {
      clearTimeout(this.timer)
      clearTimeout(this.countTimer)
    })
  }

  /** Counts the words of a changed text, after a rest. */
  countWords(): void {
    clearTimeout(this.countTimer)
    this.countTimer = setTimeout(() => {
      this.words.textContent = this.context.messages.words(this.actions.wordCount())
    }, countMs)
  }

  /** Displays where the text is. */
  show(status: SaveStatus): void {
    const { messages } = this.context
    this.dom.dataset.status = status._tag.toLowerCase()
    // Screen readers do not read the same text again.
    const text = this.textOf(status)
    if (this.text.textContent !== text) this.text.textContent = text
    const hasConflict = status._tag === "Conflict"
    const isFailed = status._tag === "Failed"
    this.button.hidden = !hasConflict && !isFailed
    this.button.textContent = hasConflict ? messages.nextConflict : messages.saveNow
    this.action = hasConflict ? this.actions.nextConflict : this.actions.save
  }

  /** Displays whether changes are displayed. */
  showChanging(isShown: boolean): void {
    this.changes.setAttribute("aria-pressed", String(isShown))
  }

  /** Displays a message for some seconds. */
  notify(text: string): void {
    clearTimeout(this.timer)
    this.notice.textContent = text
    this.timer = setTimeout(() => {
      this.notice.textContent = ""
    }, noticeMs)
  }

  /** Displays who else has the document open. */
  showOthers(names: ReadonlyArray<string>): void {
    const { messages, language } = this.context
    const list = new Intl.ListFormat(language, { type: "conjunction" }).format(names)
    this.others.textContent = names.length === 0 ? "" : messages.alsoHere(list)
  }

  private textOf(status: SaveStatus): string {
    const { messages, backend } = this.context
    if (status._tag === "Saved") return messages.saved(backend?.place ?? "")
    if (status._tag === "Saving") return messages.saving
    if (!status.isStored && status._tag !== "Changed") return messages.notStored
    if (status._tag === "Conflict") return messages.conflicts(status.count)
    if (status._tag === "Changed") return status.isStored ? messages.draft : messages.unsaved
    switch (status.reason) {
      case "signed-out":
        return messages.signedOut
      case "forbidden":
      case "not-found":
        return messages.forbidden
      case "rejected":
        return messages.rejected(reasonOf(messages, status))
      default:
        return messages.offline
    }
  }
}
