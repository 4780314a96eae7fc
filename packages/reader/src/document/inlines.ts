/** Renders the inline nodes of a document. */
import type { DocumentInline } from "@lectern/core"
import { charactersOfEmoji, mentionText, plainText } from "@lectern/formats/threads"
import { type Content, classes, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { anchorUrl } from "../html/urls.ts"
import { imageElement } from "./images.ts"
import type { Renderer } from "./Renderer.ts"

type Inline = DocumentInline.Inline
type Mark = DocumentInline.Mark

const colorClass = (kind: "text" | "background", color: string): string | undefined =>
  color === "default" ? undefined : `${kind === "text" ? "c" : "bg"}-${color.replace("$", "")}`

const withMark = (mark: Mark, content: Content): Html => {
  switch (mark.type) {
    case "bold":
      return element("strong", {}, content)
    case "italic":
      return element("em", {}, content)
    case "strikethrough":
      return element("s", {}, content)
    case "code":
      return element("code", {}, content)
    case "keyboard":
      return element("kbd", {}, content)
    case "superscript":
      return element("sup", {}, content)
    case "subscript":
      return element("sub", {}, content)
    case "color": {
      const { text, background } = mark.data
      const names = classes(colorClass("text", text), colorClass("background", background))
      return names === undefined
        ? fragment(content)
        : element(background === "default" ? "span" : "mark", { class: names }, content)
    }
  }
}

/** Surrounds content with marks, of which the first is the outermost. */
const withMarks = (marks: ReadonlyArray<Mark> | undefined, content: Content): Content =>
  (marks ?? []).reduceRight<Content>((inner, mark) => withMark(mark, inner), content)

/** Returns the text of nodes without markup, on one line. */
export const plainTextOf = (nodes: ReadonlyArray<Inline>): string =>
  plainText(nodes, true).replace(/\s+/g, " ").trim()

const renderLeaf = (leaf: DocumentInline.Leaf): Content => {
  switch (leaf.data?.markdown) {
    case "html":
      return nothing
    case "break":
      return element("br", {})
    case "footnote": {
      const label = leaf.text.replace(/^\[\^|\]$/g, "")
      return element(
        "sup",
        { class: "footnote-ref" },
        element("a", { href: anchorUrl(`fn-${label}`), role: "doc-noteref" }, label)
      )
    }
    default:
      return withMarks(leaf.marks, leaf.text)
  }
}

const renderLink = (renderer: Renderer, { nodes, data }: DocumentInline.Link): Content => {
  const link = renderer.context.link(data.ref)
  const content = renderInlines(renderer, nodes)
  if (link === undefined) return content
  const text = plainTextOf(nodes)
  const hasContent = text !== "" || nodes.some(({ object }) => object === "inline")
  return element(
    "a",
    { ...renderer.linkAttributes(link), title: data.title },
    hasContent ? content : (link.title ?? link.href)
  )
}

const renderMention = (renderer: Renderer, { data }: DocumentInline.InlineMention): Content => {
  const link = renderer.context.link(data.ref)
  const text = link?.title ?? mentionText(data)
  return link === undefined
    ? element("span", { class: "mention" }, text)
    : element("a", { class: "mention", ...renderer.linkAttributes(link) }, link.icon, text)
}

const renderButton = (renderer: Renderer, { data }: DocumentInline.InlineButton): Content => {
  const content = [icon(data.icon), data.label === "" ? undefined : element("span", {}, data.label)]
  const className = `button ${data.kind}`
  if (data.action === "search") {
    return element(
      "a",
      { class: className, href: renderer.context.searchUrl(data.query), "data-search": data.query ?? "" },
      content
    )
  }
  const link = data.action === undefined ? renderer.context.link(data.ref) : undefined
  return link === undefined
    ? element("span", { class: `${className} disabled` }, content)
    : element("a", { class: className, ...renderer.linkAttributes(link) }, content)
}

const renderAnnotation = (renderer: Renderer, { nodes, fragments }: DocumentInline.Annotation): Content => {
  const id = renderer.componentId("note")
  const note = fragments[0]?.nodes.map(({ nodes: inlines }) =>
    element("span", {}, renderInlines(renderer, inlines))
  )
  return [
    element(
      "button",
      { type: "button", class: "annotation", popovertarget: id, "aria-describedby": id },
      renderInlines(renderer, nodes)
    ),
    element("span", { class: "annotation-body", id, popover: true, role: "note" }, note)
  ]
}

const renderInline = (renderer: Renderer, node: Inline): Content => {
  if (node.object === "text") return node.leaves.map((leaf) => renderLeaf(leaf))
  switch (node.type) {
    case "link":
      return renderLink(renderer, node)
    case "inline-image":
      return withMarks(
        node.data.marks,
        imageElement(renderer, node.data, `inline-image ${node.data.size ?? ""}`.trim())
      )
    case "inline-math": {
      const { formula, marks } = node.data
      return withMarks(
        marks,
        renderer.context.math(formula, false) ?? element("code", { class: "formula" }, formula)
      )
    }
    case "emoji":
      return withMarks(node.data.marks, charactersOfEmoji(node.data.code) ?? "")
    case "icon":
      return withMarks(node.data.marks, icon(node.data.icon))
    case "expression": {
      const { expression, marks } = node.data
      return withMarks(marks, renderer.context.expression(expression) ?? element("code", {}, expression))
    }
    case "mention":
      return withMarks(node.data.marks, renderMention(renderer, node))
    case "button":
      return renderButton(renderer, node)
    case "annotation":
      return renderAnnotation(renderer, node)
  }
}

/** Renders inline nodes. */
export const renderInlines = (renderer: Renderer, nodes: ReadonlyArray<Inline>): Html =>
  fragment(renderer.nested(() => nodes.map((node) => renderInline(renderer, node))))
