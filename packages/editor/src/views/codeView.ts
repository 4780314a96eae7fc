/** The view of code: its title, its language, the numbers of its lines, and the lines that are emphasized. */
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { element, iconButton } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { languages } from "./languages.ts"

const lineCount = (node: Node): number => node.textContent.split("\n").length

class CodeView implements NodeView {
  readonly contentDOM = element("code", { spellcheck: "false" })
  readonly dom: HTMLElement
  private readonly gutter = element("div", { class: "editor-gutter", contenteditable: "false" })
  private readonly title: HTMLInputElement
  private readonly language: HTMLSelectElement
  private readonly notice = element("span", { class: "editor-code-notice" })
  private node: Node
  private readonly context: EditorContext
  private readonly position: () => number | undefined

  constructor(node: Node, context: EditorContext, position: () => number | undefined) {
    this.node = node
    this.context = context
    this.position = position
    const { messages } = context
    this.title = element("input", {
      class: "editor-code-title",
      type: "text",
      placeholder: messages.codeTitle,
      "aria-label": messages.codeTitle,
      input: () => this.set("title", this.title.value)
    })
    this.language = element("select", {
      class: "editor-code-language",
      "aria-label": messages.fields.language ?? "",
      change: () => this.set("syntax", this.language.value)
    })
    for (const event of ["focus", "pointerdown"])
      this.language.addEventListener(event, () => this.addLanguages())
    const settings = iconButton("ellipsis", messages.settingsOf(messages.nodes.code ?? ""), () => {
      const at = position()
      if (at !== undefined) openSettings(context, at)
    })
    const bar = element(
      "figcaption",
      { contenteditable: "false" },
      this.title,
      this.notice,
      this.language,
      settings
    )
    this.dom = element(
      "figure",
      { class: "code", dir: "ltr" },
      bar,
      element("div", { class: "editor-code-body" }, this.gutter, element("pre", {}, this.contentDOM))
    )
    this.gutter.addEventListener("click", (event) => this.toggleLine(event))
    this.render()
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
    const { messages } = this.context
    const syntax = textField(this.node, "syntax") ?? ""
    this.dom.classList.toggle("numbered", data.lineNumbers === true)
    this.dom.classList.toggle("untitled", textField(this.node, "title") === undefined)
    this.dom.classList.toggle("wraps", data.overflow === "wrap")
    this.dom.classList.toggle("full-width", data.fullWidth === true)
    if (document.activeElement !== this.title) this.title.value = textField(this.node, "title") ?? ""
    this.showLanguages([syntax], syntax)
    const { markdown } = data
    this.dom.dataset.kind = typeof markdown === "string" ? markdown : ""
    this.notice.textContent = typeof markdown === "string" ? (messages.sourceBlocks[markdown] ?? "") : ""
    this.title.hidden = this.language.hidden = typeof markdown === "string"
    this.renderGutter()
  }

  private showLanguages(names: ReadonlyArray<string>, selected: string): void {
    const { plainText } = this.context.messages
    this.language.replaceChildren(
      ...names.map((name) =>
        element("option", { value: name, selected: name === selected }, name === "" ? plainText : name)
      )
    )
  }

  /** Adds the languages before the list opens: a page can have hundreds of blocks of code. */
  private addLanguages(): void {
    const syntax = textField(this.node, "syntax") ?? ""
    if (this.language.childElementCount === 1) {
      this.showLanguages(languages.includes(syntax) ? languages : [syntax, ...languages], syntax)
    }
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
