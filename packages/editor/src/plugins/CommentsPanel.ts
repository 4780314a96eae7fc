/** The panel with the comments on the text, in its order. */
import type { EditorContext } from "../context.ts"
import type { CommentAnchor, CommentReply, CommentThread } from "../EditorBackend.ts"
import { element, iconButton } from "../ui/dom.ts"
import { commentsOf, type PlacedComment, updateComment } from "./comments.ts"

/** The panel with the comments on the text. */
export class CommentsPanel {
  private readonly context: EditorContext
  private readonly dom: HTMLElement
  private readonly list = element("div", { class: "editor-comment-list" })
  private readonly drafting = element("div")
  private draft: CommentAnchor | undefined
  private shownDraft: CommentAnchor | undefined
  private readonly writers = new Map<string, HTMLElement>()

  constructor(parent: HTMLElement, context: EditorContext) {
    this.context = context
    const { messages } = context
    this.dom = element(
      "aside",
      {
        class: "editor-comments",
        "aria-label": messages.comments,
        hidden: true,
        keydown: (event) => this.handleKey(event as KeyboardEvent)
      },
      element(
        "div",
        { class: "editor-comments-head" },
        element("strong", {}, messages.comments),
        iconButton("xmark", messages.close, () => this.close())
      ),
      this.drafting,
      this.list
    )
    parent.append(this.dom)
  }

  /** Displays the comments again, if the panel is open. */
  refresh(): void {
    if (!this.dom.hidden) this.render()
  }

  get isOpen(): boolean {
    return !this.dom.hidden
  }

  /** Opens the panel, and moves the focus to the comments with these ids. */
  open(ids: ReadonlyArray<string> = []): void {
    this.dom.hidden = false
    this.render()
    const [first] = ids
    if (first === undefined) return
    const card = Array.from(this.list.children).find(
      (child) => child instanceof HTMLElement && child.dataset.thread === first
    )
    card?.scrollIntoView({ block: "nearest" })
    card?.classList.add("selected")
  }

  close(): void {
    this.dom.hidden = true
    this.draft = undefined
    this.context.view().focus()
  }

  /** Starts a comment on a place. */
  start(anchor: CommentAnchor): void {
    this.draft = anchor
    this.open()
    this.drafting.querySelector("textarea")?.focus()
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return
    event.preventDefault()
    this.close()
  }

  private render(): void {
    const cards = commentsOf(this.context.view().state)
      .filter(({ thread }) => !thread.isResolved)
      .map((comment) => this.card(comment))
    // The form of the draft is not moved, so that it keeps the focus.
    if (this.shownDraft !== this.draft) {
      this.shownDraft = this.draft
      this.drafting.replaceChildren(...(this.draft === undefined ? [] : [this.form(this.draft)]))
    }
    const focused = document.activeElement
    this.list.replaceChildren(...cards)
    if (focused instanceof HTMLElement && this.list.contains(focused)) focused.focus({ preventScroll: true })
  }

  /** Returns the form of a comment or of its next reply. The form and its text remain when the comments are displayed again. */
  private writerOf(
    key: string,
    label: string,
    action: string,
    send: (text: string) => Promise<void>
  ): HTMLElement {
    const known =
      this.writers.get(key) ??
      this.writer(label, action, async (text) => {
        await send(text)
        this.writers.delete(key)
      })
    this.writers.set(key, known)
    return known
  }

  private form(anchor: CommentAnchor): HTMLElement {
    const { messages } = this.context
    const quoted = anchor.quote?.text ?? anchor.preview
    return element(
      "div",
      { class: "editor-comment" },
      quoted !== undefined && element("blockquote", {}, quoted),
      this.writer(messages.newComment, messages.post, async (text) => {
        // The server only has blocks that were saved.
        await this.context.save()
        const thread = await this.context.backend!.comments!.post(anchor, text)
        this.draft = undefined
        updateComment(this.context.view(), thread)
      })
    )
  }

  private writer(label: string, action: string, send: (text: string) => Promise<void>): HTMLElement {
    const { messages } = this.context
    const input = element("textarea", { rows: 2, "aria-label": label, placeholder: label })
    const error = element("span", { role: "alert", class: "editor-error" })
    const button = element("button", { type: "submit", class: "editor-primary" }, action)
    return element(
      "form",
      {
        class: "editor-form",
        submit: (event) => {
          event.preventDefault()
          const text = input.value.trim()
          if (text === "") return
          button.disabled = true
          error.textContent = ""
          void send(text).then(
            () => this.render(),
            (reason: unknown) => {
              button.disabled = false
              error.textContent = reason instanceof Error ? reason.message : messages.retry
            }
          )
        }
      },
      input,
      error,
      button
    )
  }

  private entry({ author, text, postedAt }: CommentReply): HTMLElement {
    const time = new Date(postedAt)
    const shown = Number.isNaN(time.getTime())
      ? ""
      : new Intl.DateTimeFormat(this.context.language, { dateStyle: "medium", timeStyle: "short" }).format(
          time
        )
    return element(
      "div",
      { class: "editor-comment-entry" },
      element(
        "div",
        { class: "editor-comment-meta" },
        element("strong", {}, author),
        " ",
        element("time", { datetime: postedAt }, shown)
      ),
      element("p", {}, text)
    )
  }

  private card({ thread, from, to }: PlacedComment): HTMLElement {
    const { messages, backend } = this.context
    const { quote } = thread.anchor
    const place =
      from === undefined ? element("p", { class: "editor-hint-text" }, messages.detached) : undefined
    return element(
      "section",
      { class: "editor-comment", "data-thread": thread.id, click: () => this.showPlace(from, to) },
      place,
      quote !== undefined && element("blockquote", {}, quote.text),
      this.entry(thread),
      ...thread.replies.map((reply) => this.entry(reply)),
      this.writerOf(thread.id, messages.reply, messages.reply, async (text) => {
        const reply = await backend!.comments!.reply(thread.id, text)
        this.addReply(thread.id, reply)
      }),
      element(
        "button",
        { type: "button", class: "editor-resolve", click: () => void this.resolve(thread) },
        messages.resolve
      )
    )
  }

  /** Adds a reply to the current state of a comment, which can have changed while the reply was written. */
  private addReply(id: string, reply: CommentReply): void {
    const found = commentsOf(this.context.view().state).find(({ thread }) => thread.id === id)
    if (found === undefined) return
    updateComment(this.context.view(), { ...found.thread, replies: [...found.thread.replies, reply] })
  }

  private showPlace(from: number | undefined, to: number | undefined): void {
    if (from === undefined || to === undefined) return
    const view = this.context.view()
    const { node } = view.domAtPos(from)
    const target = node instanceof HTMLElement ? node : node.parentElement
    target?.scrollIntoView({ block: "nearest" })
  }

  private async resolve(thread: CommentThread): Promise<void> {
    try {
      await this.context.backend!.comments!.resolve(thread.id, true)
      updateComment(this.context.view(), { ...thread, isResolved: true })
      this.render()
    } catch (error) {
      this.context.announce(error instanceof Error ? error.message : this.context.messages.retry)
    }
  }
}
