/** Connects the comments of the backend, their places in the text, and the panel or the host that displays them. */
import type { EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import type { CommentPlace, CommentsHost } from "../Editor.ts"
import { CommentsPanel } from "./CommentsPanel.ts"
import { anchorOf, commentsOf, showComment, showComments } from "./comments.ts"

/** The comments of an editor. */
export class CommentsControl {
  private readonly context: EditorContext
  private readonly host: CommentsHost | undefined
  private readonly panel: CommentsPanel | undefined
  private isAnnounced = false

  constructor(parent: HTMLElement, context: EditorContext, host: CommentsHost | undefined) {
    this.context = context
    this.host = host
    this.panel = host === undefined ? new CommentsPanel(parent, context) : undefined
  }

  /** Loads the comments. The comments of an unavailable backend are loaded by the next call. */
  async load(): Promise<void> {
    const { backend, signal } = this.context
    const threads = await backend?.comments?.list(signal).catch(() => undefined)
    if (threads === undefined || signal.aborted) return
    showComments(this.context.view(), threads)
    this.panel?.refresh()
  }

  /** Starts a comment on the selected text, or on the block at a position. */
  start(position?: number): void {
    const anchor = anchorOf(this.context.view().state, position)
    if (this.host === undefined) this.panel?.start(anchor)
    else this.host.onStart(anchor)
  }

  /** Displays the comments with these ids, because the writer has clicked on their text. */
  select(ids: ReadonlyArray<string>): void {
    if (this.host === undefined) this.panel?.open(ids)
    else this.host.onSelect(ids)
  }

  /** Opens or closes the panel. */
  toggle(): void {
    if (this.panel?.isOpen === true) this.panel.close()
    else this.panel?.open()
  }

  /** Reports the places of the comments to the host once per frame. */
  changed(): void {
    if (this.host === undefined || this.isAnnounced) return
    this.isAnnounced = true
    requestAnimationFrame(() => {
      this.isAnnounced = false
      if (!this.context.signal.aborted) this.host?.onPlaces(this.places())
    })
  }

  /** Returns the comments with their places, in the order of the text. */
  places(): ReadonlyArray<CommentPlace> {
    const view = this.context.view()
    return commentsOf(view.state).map(({ thread, from }) => ({
      id: thread.id,
      thread,
      top: from === undefined ? undefined : topOf(view, from) - this.context.root.getBoundingClientRect().top
    }))
  }

  /** Scrolls to the text of a comment, and marks it until another comment is shown. Returns whether it has a place. */
  show(id: string | undefined): boolean {
    const view = this.context.view()
    showComment(view, id)
    if (id === undefined) return false
    const marked = view.dom.querySelector(`[data-comment="${CSS.escape(id)}"]`)
    marked?.scrollIntoView({ block: "center" })
    return marked !== null
  }
}

const topOf = (view: EditorView, position: number): number => {
  const dom = view.nodeDOM(position)
  return dom instanceof HTMLElement ? dom.getBoundingClientRect().top : view.coordsAtPos(position).top
}
