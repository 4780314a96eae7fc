/** The same document as Markdown, in place of the text. */
import type { EditorContext } from "../context.ts"
import type { DocumentNode } from "../convert/json.ts"
import { fromDocument, toDocument } from "../convert.ts"
import type { Document } from "../model.ts"
import { contentKey, mergeBlocks } from "../saving/mergeDocuments.ts"
import { schema } from "../schema/schema.ts"
import { element } from "../ui/dom.ts"
import { applyMerge } from "./conflicts.ts"

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

  constructor(frame: HTMLElement, context: EditorContext) {
    this.frame = frame
    this.context = context
    context.signal.addEventListener("abort", () => clearTimeout(this.timer))
  }

  /** Shows the Markdown, or the text again. */
  async toggle(): Promise<void> {
    const engine = await import("../markdown.ts")
    if (this.context.signal.aborted) return
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
      this.timer = setTimeout(() => this.apply(engine), delayMs)
    })
    this.input = input
    view.dom.hidden = true
    this.frame.append(input)
    input.focus()
  }

  private hide(engine: Markdown): void {
    clearTimeout(this.timer)
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
    if (contentKey(before.data) !== contentKey(after.data)) this.applyData(after)
  }

  /** Replaces the footnotes and the definitions of links. */
  private applyData(document: Document): void {
    const view = this.context.view()
    const { doc } = view.state
    const after = fromDocument(document)
    const footnotes = after.children.filter(({ type }) => type === schema.nodes.footnote)
    const start = doc.children.reduce(
      (sum, node) => (node.type === schema.nodes.footnote ? sum : sum + node.nodeSize),
      0
    )
    view.dispatch(
      view.state.tr.replaceWith(start, doc.content.size, footnotes).setDocAttribute("data", after.attrs.data)
    )
  }
}
