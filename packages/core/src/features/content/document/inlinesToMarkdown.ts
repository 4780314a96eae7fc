/** Converts the inlines of a document to phrasing content of the syntax tree. */
import type * as Mdast from "mdast"
import type { Definition } from "../../../model/content/document/Document.ts"
import type { ContentRef, Inline, Leaf, Mark, Reference } from "../../../model/content/document/Inline.ts"
import { labelKey, urlOf } from "./linkReferences.ts"

/** Link definitions of a document by the key of their label. */
export type Definitions = ReadonlyMap<string, Definition>

/** Converts inlines to phrasing content without line breaks, for headings from level 3 and for table cells. */
export const toSingleLine = (
  inlines: ReadonlyArray<Inline>,
  definitions: Definitions
): Array<Mdast.PhrasingContent> => toPhrasing(inlines, definitions).map(withoutBreaks)

const withoutBreaks = (node: Mdast.PhrasingContent): Mdast.PhrasingContent => {
  if (node.type === "break") return { type: "html", value: "<br>" }
  if (node.type === "html") return { type: "html", value: node.value.replaceAll("\n", " ") }
  if (!("children" in node)) return node
  return { ...node, children: node.children.map(withoutBreaks) } as typeof node
}

/** A node without marks within, and the marks around it. */
interface Piece {
  readonly marks: ReadonlyArray<Mark["type"]>
  readonly node: Mdast.PhrasingContent
}

/** Converts inlines to phrasing content. Adjacent runs with the same marks are joined. */
export const toPhrasing = (
  inlines: ReadonlyArray<Inline>,
  definitions: Definitions,
  outer: ReadonlyArray<Mark["type"]> = []
): Array<Mdast.PhrasingContent> => {
  const pieces: Array<Piece> = []
  for (const inline of inlines) {
    if (inline.object === "text") {
      for (const leaf of inline.leaves) for (const piece of toPieces(leaf, outer)) pieces.push(piece)
    } else {
      const marks = (inline.data.marks ?? []).map(typeOf)
      const node =
        inline.type === "link"
          ? toLink(inline, definitions, [...outer, ...marks])
          : toImage(inline.data, inline.data.caption, definitions)
      // Code contains text only, so a link or an image cannot be code.
      pieces.push({ marks: marks.filter(isSpan), node })
    }
  }
  return nest(pieces, 0, pieces.length, 0)
}

const emptyLines = /\n(?:[ \t]*\n)+/g
const typeOf = (mark: Mark): Mark["type"] => mark.type
const isSpan = (type: Mark["type"]) => type !== "code"

const toPieces = (leaf: Leaf, outer: ReadonlyArray<Mark["type"]>): Array<Piece> => {
  const all = leaf.marks.map(typeOf)
  // The leaves of a link repeat the marks around the link.
  const marks = outer.every((type, index) => all[index] === type) ? all.slice(outer.length) : all
  const spans = marks.filter(isSpan)
  const piece = (node: Mdast.PhrasingContent) => [{ marks: spans, node }]
  switch (leaf.data?.markdown) {
    case "break":
      return piece({ type: "break" })
    case "html":
      return leaf.text === "" ? [] : piece({ type: "html", value: leaf.text })
    case "footnote": {
      const label = /^\[\^([\s\S]+)\]$/.exec(leaf.text)?.[1]
      if (label !== undefined) {
        return piece({ type: "footnoteReference", identifier: label.toLowerCase(), label })
      }
    }
  }
  if (leaf.text === "") return []
  if (spans.length < marks.length) {
    return piece({ type: "inlineCode", value: leaf.text.replaceAll(emptyLines, "\n") })
  }
  // An empty line would end the paragraph.
  return leaf.text.split(emptyLines).flatMap((value, index): Array<Piece> => {
    const text: Array<Piece> = value === "" ? [] : piece({ type: "text", value })
    return index === 0 ? text : [...piece({ type: "break" }), ...text]
  })
}

/** Nests the pieces from `start` to `end` by their marks. Their first `depth` marks are already around all of them. */
const nest = (
  pieces: ReadonlyArray<Piece>,
  start: number,
  end: number,
  depth: number
): Array<Mdast.PhrasingContent> => {
  const nodes: Array<Mdast.PhrasingContent> = []
  for (let from = start; from < end; ) {
    const { marks, node } = pieces[from]!
    const type = marks[depth]
    let to = from + 1
    if (type === undefined) {
      append(nodes, node)
    } else {
      while (to < end && pieces[to]!.marks[depth] === type) to++
      nodes.push({ type: spans[type], children: nest(pieces, from, to, depth + 1) })
    }
    from = to
  }
  return nodes
}

const spans = { bold: "strong", italic: "emphasis", strikethrough: "delete", code: "emphasis" } as const

const append = (nodes: Array<Mdast.PhrasingContent>, node: Mdast.PhrasingContent): void => {
  const at = nodes.length - 1
  const last = nodes[at]
  if ((node.type === "text" || node.type === "inlineCode") && last?.type === node.type) {
    nodes[at] = { type: node.type, value: last.value + node.value }
    return
  }
  // A bracket directly after a shortcut reference would parse as the label of its definition.
  if (opensBracket(node) && isReference(last) && last.referenceType === "shortcut") {
    nodes[at] = { ...last, referenceType: "collapsed" }
  }
  nodes.push(node)
}

const isReference = (
  node: Mdast.PhrasingContent | undefined
): node is Mdast.LinkReference | Mdast.ImageReference =>
  node?.type === "linkReference" || node?.type === "imageReference"

const opensBracket = ({ type }: Mdast.PhrasingContent) =>
  type === "link" || type === "linkReference" || type === "footnoteReference"

const toLink = (
  link: Extract<Inline, { readonly type: "link" }>,
  definitions: Definitions,
  marks: ReadonlyArray<Mark["type"]>
): Mdast.Link | Mdast.LinkReference => {
  const children = toPhrasing(link.nodes, definitions, marks)
  const { ref, title, reference } = link.data
  const association = associationOf(ref, title, reference, definitions)
  return association === undefined
    ? { type: "link", url: urlOf(ref), title: title ?? null, children }
    : { type: "linkReference", ...association, children }
}

/** Converts an inline image or an image block. */
export const toImage = (
  image: { readonly ref: ContentRef; readonly alt?: string; readonly reference?: Reference },
  title: string | undefined,
  definitions: Definitions
): Mdast.Image | Mdast.ImageReference => {
  const alt = image.alt ?? ""
  const association = associationOf(image.ref, title, image.reference, definitions)
  return association === undefined
    ? { type: "image", url: urlOf(image.ref), title: title ?? null, alt }
    : { type: "imageReference", ...association, alt }
}

/** The reference to the definition of a node; undefined if no definition has the URL and title of the node. */
const associationOf = (
  ref: ContentRef,
  title: string | undefined,
  reference: Reference | undefined,
  definitions: Definitions
): Pick<Mdast.LinkReference, "identifier" | "label" | "referenceType"> | undefined => {
  if (reference === undefined) return undefined
  const definition = definitions.get(labelKey(reference.label))
  if (definition === undefined || definition.url !== urlOf(ref)) return undefined
  if ((definition.title ?? "") !== (title ?? "")) return undefined
  const { label, kind } = reference
  return { identifier: label.toLowerCase(), label, referenceType: kind }
}
