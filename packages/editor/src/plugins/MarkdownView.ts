/** The same document as Markdown, in place of the text. */
import type { EditorContext } from "../context.ts"
import type { DocumentNode } from "../convert/json.ts"
import { toDocument } from "../convert.ts"
import type { Document } from "../model.ts"
import { contentKey, mergeBlocks } from "../saving/mergeDocuments.ts"
import { element } from "../ui/dom.ts"
import { applyMerge } from "./conflicts.ts"
import { applyData } from "./documentData.ts"

const delayMs = 300

type Markdown = typeof import("../markdown.ts")

const nodesOf = ({ nodes }: Document): ReadonlyArray<DocumentNode> =>
  nodes as unknown as ReadonlyArray<DocumentNode>

/** Shows and applies the Markdown of the document of an editor. */
export class MarkdownView {
  private readonly context: EditorContext
  private readonly frame: HTMLElement
  private input: HTMLTextAreaElement | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private engine: Markdown | undefined

  constructor(frame: HTMLElement, context: EditorContext) {
    this.frame = frame
    this.context = context
    context.signal.addEventListener("abort", () => clearTimeout(this.timer))
  }

  /** Whether the Markdown is displayed. */
  get isOpen(): boolean {
    return this.input !== undefined
  }

  /** Applies the Markdown that was typed since the last delay. */
  flush(): void {
    if (this.timer === undefined || this.engine === undefined) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.apply(this.engine)
  }

  /** Displays a change of the document that another person made. The cursor remains at its text. */
  refresh(): void {
    const { input, engine } = this
    if (input === undefined || engine === undefined) return
    const before = input.value
    const after = engine.toMarkdown(toDocument(this.context.view().state.doc))
    if (before === after) return
    const cursor = input.selectionStart
    let same = 0
    while (same < cursor && before[same] === after[same]) same++
    input.value = after
    const moved = same < cursor ? cursor + after.length - before.length : cursor
    input.setSelectionRange(moved, moved)
  }

  /** Shows the Markdown, or the text again. */
  async toggle(): Promise<void> {
    const engine = await import("../markdown.ts")
    if (this.context.signal.aborted) return
    this.engine = engine
    if (this.input === undefined) this.show(engine)
    else this.hide(engine)
  }

  private show(engine: Markdown): void {
    const view = this.context.view()
    const input = element("textarea", {
      class: "editor-markdown",
      "aria-label": this.context.messages.markdownView,
      spellcheck: "false",
      readonly: !view.editable
    })
    input.value = engine.toMarkdown(toDocument(view.state.doc))
    input.addEventListener("input", () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.flush(), delayMs)
    })
    this.input = input
    view.dom.hidden = true
    this.frame.append(input)
    input.focus()
  }

  private hide(engine: Markdown): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.apply(engine)
    this.input?.remove()
    this.input = undefined
    const view = this.context.view()
    view.dom.hidden = false
    view.focus()
  }

  /** Replaces the blocks whose Markdown was changed. The others remain as they are, with their attributes. */
  private apply(engine: Markdown): void {
    const view = this.context.view()
    const markdown = this.input?.value
    const before = toDocument(view.state.doc)
    if (markdown === undefined || markdown === engine.toMarkdown(before)) return
    const after = engine.blocksFromMarkdown(markdown)
    const merge = {
      fromMarkdown: (text: string) => nodesOf(engine.fromMarkdown(text)),
      toMarkdown: engine.markdownOfBlocks,
      mergeTexts: engine.mergeTexts
    }
    applyMerge(view, mergeBlocks(merge, nodesOf(before), nodesOf(before), nodesOf(after)), true)
    if (contentKey(before.data) !== contentKey(after.data)) applyData(view, after)
  }
}
