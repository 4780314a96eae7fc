/** Blocks of text: paragraphs, headings, code, and captions. */
import type { NodeSpec } from "prosemirror-model"
import { documentNode, textField } from "./attributes.ts"

const alignClass = (align: string | undefined): { readonly class?: string } =>
  align === undefined || align === "start" ? {} : { class: `text-${align}` }

/** The marks of captions, which cannot contain annotations. */
const captionMarks =
  "link bold italic strikethrough color keyboard superscript subscript inline_code soft_break"

const headingRules = [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level, data: {} } }))

/** The nodes of blocks of text. */
export const textNodes: Readonly<Record<string, NodeSpec>> = {
  paragraph: documentNode("paragraph", {
    group: "block",
    content: "inline*",
    // The writer edits an empty container in its filler. It is not a part of the document while it is empty.
    attrs: { filler: { default: false } },
    parseDOM: [{ tag: "p" }],
    toDOM: (node) => ["p", alignClass(textField(node, "align")), 0]
  }),
  heading: documentNode("heading", {
    group: "block",
    content: "inline*",
    defining: true,
    attrs: { level: { default: 1 } },
    parseDOM: headingRules,
    toDOM: (node) => {
      const level = node.attrs.level as number
      const align = alignClass(textField(node, "align")).class ?? ""
      // The title of the page has the first level.
      return [`h${Math.min(level + 1, 6)}`, { class: `heading h-${Math.min(level, 4)} ${align}`.trim() }, 0]
    }
  }),
  code: documentNode("code", {
    group: "block",
    content: "text*",
    marks: "",
    code: true,
    defining: true,
    // The indexes of the emphasized lines.
    attrs: { highlighted: { default: [] } },
    parseDOM: [
      {
        tag: "pre",
        preserveWhitespace: "full",
        getAttrs: (element) => {
          const classes = `${element.className} ${element.querySelector("code")?.className ?? ""}`
          const syntax =
            /(?:language-|lang-|brush: ?)([\w+#-]+)/.exec(classes)?.[1] ??
            element.getAttribute("data-language") ??
            undefined
          return { data: syntax === undefined ? {} : { syntax } }
        }
      }
    ],
    toDOM: (node) => ["pre", { "data-language": textField(node, "syntax") ?? "" }, ["code", 0]]
  }),
  expandable_title: documentNode("expandable_title", {
    content: "inline*",
    attrs: { fragment: { default: null } },
    defining: true,
    parseDOM: [{ tag: "summary" }],
    toDOM: () => ["div", { class: "expandable-title" }, 0]
  }),
  image: documentNode("image", {
    content: "inline*",
    marks: captionMarks,
    attrs: { caption: { default: null } },
    isolating: true,
    draggable: true,
    toDOM: () => ["figure", ["figcaption", 0]]
  }),
  embed: documentNode("embed", {
    group: "block",
    content: "inline*",
    attrs: { caption: { default: null } },
    isolating: true,
    draggable: true,
    toDOM: () => ["figure", { class: "embed" }, ["figcaption", 0]]
  }),
  file: documentNode("file", {
    group: "block",
    content: "inline*",
    attrs: { caption: { default: null } },
    isolating: true,
    draggable: true,
    toDOM: () => ["figure", { class: "file" }, ["figcaption", 0]]
  })
}
