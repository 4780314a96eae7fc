/** Views of blocks without nodes: formulas, links to pages, OpenAPI, integrations, reusable contents, and unknown blocks. */
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, type JsonObject, textField } from "../schema/attributes.ts"
import { element, iconElement } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { showApi } from "./apiView.ts"
import { renderFormula } from "./formula.ts"
import { safeSource } from "./imageSize.ts"
import { showIntegration } from "./integrationView.ts"
import { linkCard } from "./linkCard.ts"

/** Displays a node. Returns a function that is called before it is displayed again or removed, if there is one. */
type Render = (node: Node, dom: HTMLElement, context: EditorContext) => (() => void) | undefined | void

const refOf = (node: Node): JsonObject => (dataOf(node).ref ?? {}) as JsonObject

const card = (icon: string, title: string, detail: string): HTMLElement => linkCard(icon, title, detail).dom

const renderMath: Render = (node, dom, context) => {
  const formula = textField(node, "formula") ?? ""
  const preview = element("div", { class: "math" })
  if (formula.trim() === "")
    preview.append(element("span", { class: "editor-hint-text" }, context.messages.emptyFormula))
  else renderFormula(preview, formula, true)
  dom.replaceChildren(preview)
}

const renderContentRef: Render = (node, dom, context) => {
  const ref = refOf(node)
  const isEmpty = ref.kind === "url" && ref.url === ""
  const label = textField(node, "label")
  const icon = ref.kind === "file" ? "file" : ref.kind === "url" ? "arrow-up-right-from-square" : "file-lines"
  const title =
    label ?? (isEmpty ? context.messages.chooseTarget : String(ref.url ?? ref.anchor ?? ref.page ?? ""))
  dom.replaceChildren(card(icon, title, typeof ref.url === "string" ? ref.url : ""))
  if (!isEmpty)
    context.resolve(ref, (found) => {
      if (found === undefined) return
      const shown = linkCard(icon, label ?? found.title, typeof ref.url === "string" ? ref.url : found.detail)
      if (found.emoji !== undefined) shown.icon.textContent = found.emoji
      dom.replaceChildren(shown.dom)
    })
}

const renderReusable: Render = (node, dom, context) => {
  const ref = refOf(node)
  const { messages, display } = context
  const name = String(ref.reusableContent ?? "")
  const kind = messages.nodes.reusable_content ?? ""
  dom.replaceChildren(card("copy", name === "" ? messages.chooseTarget : name, kind))
  if (name === "") return undefined
  let [isRemoved, remove] = [false, (): void => undefined]
  context.resolve(ref, (found) => {
    if (found === undefined || isRemoved) return
    if (found.document === undefined || display === undefined) {
      dom.replaceChildren(card("copy", found.title, kind))
      return
    }
    dom.replaceChildren(element("p", { class: "editor-included-title" }, iconElement("copy"), found.title))
    remove = display(found.document, dom)
  })
  return () => {
    isRemoved = true
    remove()
  }
}

const renderDrawing: Render = (node, dom, context) => {
  const { ref } = dataOf(node)
  const label = context.messages.nodes.drawing ?? ""
  dom.replaceChildren(card("pen", label, textField(node, "alt") ?? ""))
  if (typeof ref !== "object" || ref === null) return
  context.resolve(ref as JsonObject, (found) => {
    const source = safeSource(found?.source)
    if (source === undefined) return
    const image = element("img", { src: source, alt: textField(node, "alt") ?? "" })
    dom.replaceChildren(
      element("div", { class: "images align-center drawing" }, element("figure", {}, image))
    )
  })
}

const renderOpaque: Render = (node, dom, context) => {
  const { type } = node.attrs.json as { readonly type?: string }
  dom.replaceChildren(
    element(
      "details",
      { class: "editor-opaque" },
      element("summary", {}, iconElement("puzzle-piece"), context.messages.unknownBlock(type ?? "?")),
      element("pre", {}, JSON.stringify(node.attrs.json, null, 2).slice(0, 20_000))
    )
  )
}

const renders: Readonly<Record<string, Render>> = {
  math: renderMath,
  content_ref: renderContentRef,
  reusable_content: renderReusable,
  drawing: renderDrawing,
  swagger: showApi,
  openapi_operation: showApi,
  openapi_webhook: showApi,
  openapi_schemas: showApi,
  integration: showIntegration,
  opaque: renderOpaque
}

class VoidView implements NodeView {
  readonly dom: HTMLElement
  private node: Node
  private readonly context: EditorContext
  private readonly content = element("div", { class: "editor-void-content" })
  private clear: (() => void) | undefined

  constructor(node: Node, context: EditorContext, position: () => number | undefined) {
    this.node = node
    this.context = context
    const { messages } = context
    const name = messages.nodes[node.type.name] ?? node.type.name
    const open = (): void => {
      const at = position()
      if (at !== undefined) openSettings(context, at)
    }
    const edit =
      node.type.name === "opaque"
        ? undefined
        : element(
            "button",
            { type: "button", class: "editor-edit", click: open, "aria-label": `${messages.edit}: ${name}` },
            messages.edit
          )
    this.dom = element(
      "div",
      {
        class: `editor-void ${node.type.name}`,
        contenteditable: "false",
        role: "group",
        "aria-label": name,
        dblclick: open
      },
      this.content,
      edit
    )
    this.render()
  }

  private render(): void {
    this.clear?.()
    this.clear = renders[this.node.type.name]!(this.node, this.content, this.context) ?? undefined
  }

  destroy(): void {
    this.clear?.()
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    const isChanged = !node.hasMarkup(this.node.type, this.node.attrs)
    this.node = node
    if (isChanged) this.render()
    return true
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest("button, summary, pre") !== null
  }

  ignoreMutation(): boolean {
    return true
  }
}

/** Returns the views of blocks without nodes by their names. */
export const voidViews = (context: EditorContext): Readonly<Record<string, NodeViewConstructor>> =>
  Object.fromEntries(
    Object.keys(renders).map((name) => [name, (node, _, position) => new VoidView(node, context, position)])
  )
