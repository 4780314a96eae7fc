/** Nodes without content of their own: embeds of other resources, and inline nodes. */
import type { NodeSpec } from "prosemirror-model"
import { clipboardRule, documentNode, textField } from "./attributes.ts"

/** The types of blocks without nodes that have a form in the editor. */
export const voidBlocks = [
  "reusable-content",
  "content-ref",
  "drawing",
  "math",
  "swagger",
  "openapi-operation",
  "openapi-webhook",
  "openapi-schemas",
  "integration"
] as const

/** The types of inline nodes without nodes. */
export const inlineAtoms = [
  "inline-image",
  "inline-math",
  "emoji",
  "icon",
  "expression",
  "mention",
  "button"
] as const

const nameOf = (type: string): string => type.replaceAll("-", "_")

const voidNode = (type: string): NodeSpec =>
  documentNode(nameOf(type), {
    group: "block",
    atom: true,
    draggable: true,
    toDOM: () => ["div", { class: `editor-void ${type}` }]
  })

const inlineNode = (type: string): NodeSpec => ({
  group: "inline",
  inline: true,
  atom: true,
  attrs: { data: { default: null } },
  parseDOM: [
    clipboardRule(nameOf(type)),
    ...(type === "inline-image"
      ? [
          {
            tag: "img[src]",
            getAttrs: (element: HTMLElement) => {
              const url = element.getAttribute("src") ?? ""
              const alt = element.getAttribute("alt") ?? ""
              return url === ""
                ? false
                : { data: { ref: { kind: "url", url }, ...(alt === "" ? {} : { alt }) } }
            }
          }
        ]
      : [])
  ],
  toDOM: () => ["span", { class: `editor-${type}` }],
  leafText: (node) => textField(node, "formula") ?? textField(node, "label") ?? textField(node, "text") ?? ""
})

/** A run of text with a special form in Markdown. */
const sourceNode = (name: string, className: string): NodeSpec => ({
  group: "inline",
  inline: true,
  atom: true,
  attrs: { text: { default: "" } },
  parseDOM: [clipboardRule(name)],
  toDOM: (node) => ["span", { class: className }, String(node.attrs.text)],
  leafText: (node) => String(node.attrs.text)
})

/** The nodes without content of their own. */
export const atomNodes: Readonly<Record<string, NodeSpec>> = {
  divider: documentNode("divider", {
    group: "block",
    atom: true,
    parseDOM: [{ tag: "hr" }],
    toDOM: () => ["hr"]
  }),
  ...Object.fromEntries(voidBlocks.map((type) => [nameOf(type), voidNode(type)])),
  /** A block that the editor does not know. It is displayed, moved and removed, and never changed. */
  opaque: {
    group: "block",
    atom: true,
    draggable: true,
    attrs: { json: {} },
    parseDOM: [clipboardRule("opaque")],
    toDOM: () => ["div", { class: "editor-opaque" }]
  },
  ...Object.fromEntries(inlineAtoms.map((type) => [nameOf(type), inlineNode(type)])),
  hard_break: {
    group: "inline",
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    // The text of the leaf, and whether it divides the paragraphs of a caption.
    attrs: { text: { default: "\n" }, isParagraph: { default: false } },
    parseDOM: [{ tag: "br" }],
    toDOM: () => ["br"],
    leafText: () => "\n"
  },
  inline_html: sourceNode("inline_html", "editor-html"),
  footnote_reference: sourceNode("footnote_reference", "footnote-ref"),
  /** An inline node that the editor does not know, or that has no content. */
  opaque_inline: {
    group: "inline",
    inline: true,
    atom: true,
    attrs: { json: {} },
    parseDOM: [clipboardRule("opaque_inline")],
    toDOM: () => ["span", { class: "editor-opaque-inline" }]
  }
}
