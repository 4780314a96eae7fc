/** Converts phrasing content of the syntax tree to the inlines of a document. */
import type { ImageReference, Image as MdastImage, Nodes, PhrasingContent } from "mdast"
import type { Definition } from "../../../model/content/document/Document.ts"
import type { Inline, InlineImage, Leaf, Link, Mark, Text } from "../../../model/content/document/Inline.ts"
import { labelKey, refOfImage, refOfLink } from "./linkReferences.ts"

/** Link definitions by the key of their label. */
export type Definitions = ReadonlyMap<string, Definition>

const mark = (type: Mark["type"]): Mark => ({ object: "mark", type })
const bold = mark("bold")
const italic = mark("italic")
const strikethrough = mark("strikethrough")
const code = mark("code")

/** Adds a mark unless it is present: nested equal marks have no effect. */
const withMark = (marks: ReadonlyArray<Mark>, mark: Mark) => (marks.includes(mark) ? marks : [...marks, mark])

/**
 * Converts the phrasing content of a block. Text between links and images becomes one node, with a leaf per run of
 * marks. `heading` converts line feeds in code to spaces, because a heading is one line.
 */
export const toInlines = (
  children: ReadonlyArray<PhrasingContent>,
  key: string,
  definitions: Definitions,
  heading = false
): Array<Inline> => {
  const inlines: Array<Inline> = []
  let leaves: Array<Leaf> = []
  const childKey = () => `${key}.${inlines.length}`
  const flush = () => {
    if (leaves.length === 0) return
    inlines.push({ object: "text", key: childKey(), leaves })
    leaves = []
  }
  const add = (text: string, marks: ReadonlyArray<Mark>, markdown?: "break" | "html" | "footnote") => {
    leaves.push({ object: "leaf", text, marks, ...(markdown === undefined ? {} : { data: { markdown } }) })
  }
  const walk = (nodes: ReadonlyArray<PhrasingContent>, marks: ReadonlyArray<Mark>, outer: number): void => {
    for (const node of nodes) {
      switch (node.type) {
        case "text":
          add(node.value, marks)
          break
        case "emphasis":
          walk(node.children, withMark(marks, italic), outer)
          break
        case "strong":
          walk(node.children, withMark(marks, bold), outer)
          break
        case "delete":
          walk(node.children, withMark(marks, strikethrough), outer)
          break
        case "inlineCode":
          // A line feed in code is equivalent to a space, and would split a heading.
          add(heading ? node.value.replaceAll("\n", " ") : node.value, [...marks, code])
          break
        case "break":
          add("\n", marks, "break")
          break
        case "html":
          // Lines of a paragraph have no indentation, including those within a tag.
          add(node.value.replace(/\n[ \t]+/g, "\n"), marks, "html")
          break
        case "footnoteReference":
          add(`[^${labelOf(node)}]`, marks, "footnote")
          break
        case "image":
        case "imageReference":
          flush()
          inlines.push(toInlineImage(node, childKey(), definitions, marks.slice(outer)))
          break
        case "link":
        case "linkReference": {
          flush()
          const before = inlines.length
          const linkKey = childKey()
          walk(node.children, marks, marks.length)
          flush()
          const nodes = inlines.splice(before) as Array<Text | InlineImage>
          const { url, title, reference } = resolveTarget(node, definitions)
          inlines.push({
            object: "inline",
            type: "link",
            key: linkKey,
            isVoid: false,
            nodes: nodes.map((child, index) => ({ ...child, key: `${linkKey}.${index}` })),
            data: {
              ref: refOfLink(url),
              ...(title ? { title } : {}),
              ...(reference === undefined ? {} : { reference }),
              ...(marks.length > outer ? { marks: marks.slice(outer) } : {})
            }
          } satisfies Link)
          break
        }
      }
    }
  }
  walk(children, [], 0)
  flush()
  return inlines
}

const toInlineImage = (
  node: MdastImage | ImageReference,
  key: string,
  definitions: Definitions,
  marks: ReadonlyArray<Mark>
): InlineImage => {
  const { url, title, reference } = resolveTarget(node, definitions)
  return {
    object: "inline",
    type: "inline-image",
    key,
    isVoid: true,
    data: {
      ref: refOfImage(url),
      ...(node.alt ? { alt: node.alt } : {}),
      ...(title ? { caption: title } : {}),
      ...(reference === undefined ? {} : { reference }),
      ...(marks.length > 0 ? { marks } : {})
    }
  }
}

/** Returns the URL and title of a link or an image, and the reference if they come from a definition. */
export const resolveTarget = (
  node: Extract<Nodes, { readonly type: "link" | "image" | "linkReference" | "imageReference" }>,
  definitions: Definitions
) => {
  if (node.type === "link" || node.type === "image") {
    return { url: node.url, title: node.title, reference: undefined }
  }
  const label = labelOf(node)
  const definition = definitions.get(labelKey(label))
  return {
    url: definition?.url ?? "",
    title: definition?.title,
    reference: { label, kind: node.referenceType }
  }
}

/** The label of a definition or a reference, with whitespace collapsed. */
export const labelOf = (node: { readonly label?: string | null | undefined; readonly identifier: string }) =>
  (node.label ?? node.identifier).replace(/[\t\n\r ]+/g, " ").trim()

/** Returns the plain text of inlines, from which the ids of headings are derived. */
export const plainText = (nodes: ReadonlyArray<Inline>): string =>
  nodes
    .map((node) => {
      if (node.object === "text") return node.leaves.map(plainLeaf).join("")
      return node.type === "link" ? plainText(node.nodes) : (node.data.alt ?? "")
    })
    .join("")

const plainLeaf = (leaf: Leaf) =>
  leaf.data?.markdown === "html" || leaf.data?.markdown === "footnote" ? "" : leaf.text
