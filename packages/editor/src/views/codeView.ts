/** The view of code: its bar, the numbers of its lines, and the lines that are emphasized. */
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { element } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { CodeBar } from "./codeBar.ts"
import { whenNear } from "./whenNear.ts"

const lineCount = (node: Node): number => node.textContent.split("\n").length

class CodeView implements NodeView {
  readonly contentDOM = element("code", { spellcheck: "false" })
  readonly dom: HTMLElement
  private readonly gutter = element("div", { class: "editor-gutter", contenteditable: "false" })
  private readonly caption = element("figcaption", { contenteditable: "false" })
  private bar: CodeBar | undefined
  private readonly endWaiting: () => void
  private node: Node
  private readonly context: EditorContext
  private readonly position: () => number | undefined

  constructor(node: Node, context: EditorContext, position: () => number | undefined) {
    this.node = node
    this.context = context
    this.position = position
    this.dom = element(
      "figure",
      { class: "code", dir: "ltr" },
      this.caption,
      element("div", { class: "editor-code-body" }, this.gutter, element("pre", {}, this.contentDOM))
    )
    this.gutter.addEventListener("click", (event) => this.toggleLine(event))
    this.render()
    // The controls of hundreds of blocks would delay the page. A title has its place in the text, so it is always displayed.
    this.endWaiting = whenNear(this.dom, () => this.addBar())
    if (textField(node, "title") !== undefined) this.addBar()
  }

  private addBar(): void {
    if (this.bar !== undefined) return
    this.bar = new CodeBar(this.caption, this.context, {
      set: (field, value) => this.set(field, value),
      openSettings: () => {
        const at = this.position()
        if (at !== undefined) openSettings(this.context, at)
      }
    })
    this.bar.render(this.node)
  }

  private set(field: "title" | "syntax", value: string): void {
    const at = this.position()
    if (at === undefined) return
    const { [field]: _, ...others } = dataOf(this.node)
    const data = value === "" ? others : { ...others, [field]: value }
    const view = this.context.view()
    view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...this.node.attrs, data }))
  }

  /** Emphasizes the line at a number of the gutter, or no longer. */
  private toggleLine(event: Event): void {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-line]") : null
    const at = this.position()
    if (line === null || at === undefined) return
    const index = Number(line.dataset.line)
    const highlighted = new Set(this.node.attrs.highlighted as ReadonlyArray<number>)
    if (!highlighted.delete(index)) highlighted.add(index)
    const view = this.context.view()
    const attrs = { ...this.node.attrs, highlighted: [...highlighted].sort((one, other) => one - other) }
    view.dispatch(view.state.tr.setNodeMarkup(at, null, attrs))
  }

  private render(): void {
    const data = dataOf(this.node)
    const { markdown } = data
    this.dom.classList.toggle("numbered", data.lineNumbers === true)
    this.dom.classList.toggle("untitled", textField(this.node, "title") === undefined)
    this.dom.classList.toggle("wraps", data.overflow === "wrap")
    this.dom.classList.toggle("full-width", data.fullWidth === true)
    this.dom.dataset.kind = typeof markdown === "string" ? markdown : ""
    this.bar?.render(this.node)
    this.renderGutter()
  }

  private renderGutter(): void {
    const highlighted = new Set(this.node.attrs.highlighted as ReadonlyArray<number>)
    const count = lineCount(this.node)
    while (this.gutter.childElementCount > count) this.gutter.lastElementChild?.remove()
    while (this.gutter.childElementCount < count) {
      const index = this.gutter.childElementCount
      this.gutter.append(
        element("span", { "data-line": index, title: this.context.messages.highlightLine }, String(index + 1))
      )
    }
    for (const [index, line] of Array.from(this.gutter.children).entries())
      line.classList.toggle("highlighted", highlighted.has(index))
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    const isChanged = !node.hasMarkup(this.node.type, this.node.attrs)
    const hasLines = lineCount(node) !== this.gutter.childElementCount
    this.node = node
    if (isChanged) this.render()
    else if (hasLines) this.renderGutter()
    return true
  }

  destroy(): void {
    this.endWaiting()
  }

  stopEvent(event: Event): boolean {
    return (
      event.target instanceof globalThis.Node &&
      !this.contentDOM.contains(event.target) &&
      event.type !== "dragstart"
    )
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target)
  }
}

/** Returns the view of code. */
export const codeView =
  (context: EditorContext): NodeViewConstructor =>
  (node, _, position) =>
    new CodeView(node, context, position)
