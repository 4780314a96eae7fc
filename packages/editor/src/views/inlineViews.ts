/** Views of inline nodes without text: formulas, emojis, icons, mentions, buttons and images. */
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, type JsonObject, textField } from "../schema/attributes.ts"
import { element } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { renderFormula } from "./formula.ts"
import { fillIcon } from "./iconSets.ts"
import { pixelsOf, safeSource } from "./imageSize.ts"

/** Returns the characters of an emoji from its code points. */
export const emojiCharacters = (code: string): string => {
  try {
    const points = code.split("-").map((part) => Number.parseInt(part, 16))
    // A symbol that is also a character of text is displayed as an emoji with this selector.
    const isSymbol = points.length === 1 && points[0]! < 0x1f000
    return String.fromCodePoint(...points, ...(isSymbol ? [0xfe0f] : []))
  } catch {
    return "�"
  }
}

type Render = (node: Node, dom: HTMLElement, context: EditorContext) => void

const refOf = (node: Node): JsonObject => (dataOf(node).ref ?? { kind: "url", url: "" }) as JsonObject

const renderImage: Render = (node, dom, context) => {
  const data = dataOf(node)
  const image = element("img", {
    class: `inline-image ${textField(node, "size") ?? ""}`.trim(),
    alt: textField(node, "alt") ?? ""
  })
  const width = pixelsOf(data.width)
  if (width !== undefined) image.width = width
  dom.replaceChildren(image)
  context.resolve(refOf(node), (found) => {
    const source = safeSource(found?.source)
    if (source !== undefined) image.src = source
    else
      dom.replaceChildren(
        element("span", { class: "editor-missing" }, textField(node, "alt") ?? context.messages.image)
      )
  })
}

const renderMention: Render = (node, dom, context) => {
  const text = textField(node, "text")
  const ref = refOf(node)
  const fallback = text ?? String(ref.url ?? ref.page ?? ref.user ?? ref.file ?? ref.space ?? "…")
  dom.className = "mention"
  dom.textContent = fallback
  context.resolve(ref, (found) => {
    if (found !== undefined)
      dom.textContent = `${found.emoji === undefined ? "" : `${found.emoji} `}${found.title}`
  })
}

const renders: Readonly<Record<string, Render>> = {
  emoji: (node, dom) => {
    dom.textContent = emojiCharacters(textField(node, "code") ?? "")
  },
  icon: (node, dom) => {
    dom.setAttribute("role", "img")
    dom.setAttribute("aria-label", textField(node, "icon") ?? "")
    fillIcon(dom, textField(node, "icon") ?? "")
  },
  inline_math: (node, dom) => {
    dom.className = "editor-inline-math"
    renderFormula(dom, textField(node, "formula") ?? "", false)
  },
  expression: (node, dom) => {
    dom.replaceChildren(element("code", { class: "editor-expression" }, textField(node, "expression") ?? ""))
  },
  mention: renderMention,
  button: (node, dom) => {
    const name = textField(node, "icon")
    const icon = element("span", { class: "editor-icon" })
    if (name !== undefined) fillIcon(icon, name)
    dom.className = `button ${textField(node, "kind") ?? "primary"}`
    dom.replaceChildren(...(name === undefined ? [] : [icon]), textField(node, "label") ?? "")
  },
  inline_image: renderImage,
  inline_html: (node, dom) => {
    dom.className = "editor-html"
    dom.textContent = String(node.attrs.text)
  },
  footnote_reference: (node, dom) => {
    dom.className = "footnote-ref"
    dom.replaceChildren(element("sup", {}, String(node.attrs.text).replace(/^\[\^|\]$/g, "")))
  },
  opaque_inline: (node, dom, context) => {
    dom.className = "editor-opaque-inline"
    const { type } = node.attrs.json as { readonly type?: string }
    dom.textContent = context.messages.unknownInline(type ?? "?")
  }
}

class InlineView implements NodeView {
  readonly dom: HTMLElement
  private node: Node
  private readonly render: Render
  private readonly context: EditorContext

  constructor(node: Node, context: EditorContext, position: () => number | undefined, render: Render) {
    this.node = node
    this.context = context
    this.render = render
    this.dom = element("span", {
      contenteditable: "false",
      dblclick: () => {
        const at = position()
        if (at !== undefined) openSettings(context, at)
      }
    })
    render(node, this.dom, context)
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    if (!node.hasMarkup(this.node.type, this.node.attrs, this.node.marks))
      this.render(node, this.dom, this.context)
    this.node = node
    return true
  }

  ignoreMutation(): boolean {
    return true
  }
}

/** Returns the views of inline nodes by their names. */
export const inlineViews = (context: EditorContext): Readonly<Record<string, NodeViewConstructor>> =>
  Object.fromEntries(
    Object.entries(renders).map(([name, render]) => [
      name,
      (node, _, position) => new InlineView(node, context, position, render)
    ])
  )
