/** The bar of code: its title, its language and its settings. */
import type { Node } from "prosemirror-model"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { element, iconButton } from "../ui/dom.ts"
import { languages } from "./languages.ts"

/** The changes that a bar makes. */
export interface CodeBarHandlers {
  readonly set: (field: "title" | "syntax", value: string) => void
  readonly openSettings: () => void
}

/** The bar of a block of code. */
export class CodeBar {
  private readonly title: HTMLInputElement
  private readonly language: HTMLSelectElement
  private readonly notice = element("span", { class: "editor-code-notice" })
  private readonly context: EditorContext
  private syntax = ""

  constructor(into: HTMLElement, context: EditorContext, { set, openSettings }: CodeBarHandlers) {
    this.context = context
    const { messages } = context
    this.title = element("input", {
      class: "editor-code-title",
      type: "text",
      placeholder: messages.codeTitle,
      "aria-label": messages.codeTitle,
      input: () => set("title", this.title.value)
    })
    this.language = element("select", {
      class: "editor-code-language",
      "aria-label": messages.fields.language ?? "",
      change: () => set("syntax", this.language.value)
    })
    for (const event of ["focus", "pointerdown"])
      this.language.addEventListener(event, () => this.addLanguages())
    const settings = iconButton("ellipsis", messages.settingsOf(messages.nodes.code ?? ""), openSettings)
    into.append(this.title, this.notice, this.language, settings)
  }

  /** Displays the settings of a node. */
  render(node: Node): void {
    const { markdown } = dataOf(node)
    const isSource = typeof markdown === "string"
    this.syntax = textField(node, "syntax") ?? ""
    if (document.activeElement !== this.title) this.title.value = textField(node, "title") ?? ""
    this.showLanguages([this.syntax])
    this.notice.textContent = isSource ? (this.context.messages.sourceBlocks[markdown] ?? "") : ""
    this.title.hidden = this.language.hidden = isSource
  }

  private showLanguages(names: ReadonlyArray<string>): void {
    const { plainText } = this.context.messages
    this.language.replaceChildren(
      ...names.map((name) =>
        element("option", { value: name, selected: name === this.syntax }, name === "" ? plainText : name)
      )
    )
  }

  /** Adds the languages before the list opens: a page can have hundreds of blocks of code. */
  private addLanguages(): void {
    if (this.language.childElementCount > 1) return
    this.showLanguages(languages.includes(this.syntax) ? languages : [this.syntax, ...languages])
  }
}
