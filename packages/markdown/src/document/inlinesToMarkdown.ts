/** Converts the inlines of a document to phrasing content of the syntax tree. */

import type {
  Annotation,
  ContentRef,
  Definition,
  Inline,
  InlineAtom,
  InlineImage,
  Leaf,
  Link,
  Mark,
  Reference
} from "@lectern/model/document"
import type * as Mdast from "mdast"
import { canFollowName, canPrecedeName } from "./emojiSyntax.ts"
import { emojiNamed, nameOfEmoji } from "./emojis.ts"
import { mentionText } from "./html/inlineElements.ts"
import {
  expressionTags,
  needsTag,
  type Tags,
  tagsOfButton,
  tagsOfMark,
  writeEmoji,
  writeIcon,
  writeImage
} from "./html/writeInlineElements.ts"
import { markKey } from "./InlineBuilder.ts"
import { labelKey, urlOf } from "./linkReferences.ts"
import { mathTag } from "./mathSyntax.ts"
import { FootnoteWriter } from "./writtenFootnotes.ts"

/** Link definitions of a document by the key of their label. */
export type Definitions = ReadonlyMap<string, Definition>

type Phrasing = Array<Mdast.PhrasingContent>
type Marks = ReadonlyArray<Mark>

/** Converts inlines to phrasing content without line breaks, for headings from level 3 and for table cells. */
export const toSingleLine = (inlines: ReadonlyArray<Inline>, definitions: Definitions): Phrasing =>
  toPhrasing(inlines, definitions).map(withoutBreaks)

const html = (value: string): Mdast.Html => ({ type: "html", value })

const withoutBreaks = (node: Mdast.PhrasingContent): Mdast.PhrasingContent => {
  if (node.type === "break") return html("<br>")
  if (node.type === "html") return html(node.value.replaceAll("\n", " "))
  if (node.type === "inlineMath" && /[|\n]/.test(node.value)) return html(mathTag(node.value))
  if (!("children" in node)) return node
  return { ...node, children: node.children.map(withoutBreaks) } as typeof node
}

/** Nodes without marks within, and the marks around them. */
interface Piece {
  readonly marks: Marks
  readonly nodes: ReadonlyArray<Mdast.PhrasingContent>
}

/** Converts inlines to phrasing content. Adjacent runs with the same marks are joined. */
export const toPhrasing = (
  inlines: ReadonlyArray<Inline>,
  definitions: Definitions,
  outer: Marks = []
): Phrasing => {
  const pieces: Array<Piece> = []
  for (const inline of inlines) {
    if (inline.object === "text") {
      for (const leaf of inline.leaves) for (const piece of toPieces(leaf, outer)) pieces.push(piece)
    } else if (inline.type === "annotation") {
      pieces.push({ marks: [], nodes: toAnnotation(inline, definitions, outer) })
    } else {
      // Code contains text only, so other nodes cannot be code.
      const marks = (inline.data.marks ?? []).filter(isSpan)
      pieces.push({ marks, nodes: toNodes(inline, definitions, [...outer, ...marks]) })
    }
  }
  return nest(pieces, 0, pieces.length, 0)
}

const emptyLines = /\n(?:[ \t]*\n)+/g
const isSpan = (mark: Mark) => mark.type !== "code"

const toPieces = (leaf: Leaf, outer: Marks): Array<Piece> => {
  const all = leaf.marks
  // The leaves of a link repeat the marks around the link.
  const isRepeated = outer.every(
    (mark, index) => all[index] !== undefined && markKey(all[index]) === markKey(mark)
  )
  const marks = isRepeated ? all.slice(outer.length) : all
  const spans = marks.filter(isSpan)
  const piece = (node: Mdast.PhrasingContent): Array<Piece> => [{ marks: spans, nodes: [node] }]
  switch (leaf.data?.markdown) {
    case "break":
      // An editor can add text to the leaf of a break.
      return leaf.text
        .split("\n")
        .flatMap(
          (value, index): Array<Piece> => [
            ...(index === 0 ? [] : piece({ type: "break" })),
            ...(value === "" ? [] : piece({ type: "text", value }))
          ]
        )
    case "html":
      return leaf.text === "" ? [] : piece(html(leaf.text))
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

const between = ({ open, close }: Tags, text: string): Phrasing => [
  html(open),
  ...(text === "" ? [] : [{ type: "text" as const, value: text.replaceAll(emptyLines, "\n") }]),
  html(close)
]

const toNodes = (
  inline: InlineAtom | Link | InlineImage,
  definitions: Definitions,
  marks: Marks
): Phrasing => {
  switch (inline.type) {
    case "link":
      return [toLink(inline, definitions, marks)]
    case "inline-image": {
      const { data } = inline
      return needsTag(data)
        ? [html(writeImage(data, data.caption))]
        : [toImage(data, data.caption, definitions)]
    }
    case "inline-math":
      return [{ type: "inlineMath", value: inline.data.formula }]
    case "emoji": {
      const { code } = inline.data
      const name = nameOfEmoji(code)
      return name === undefined
        ? [html(writeEmoji(code))]
        : [{ type: "emoji", name, value: emojiNamed(name)?.emoji ?? "" }]
    }
    case "icon":
      return [html(writeIcon(inline.data.icon))]
    case "expression":
      return between(expressionTags, inline.data.expression)
    case "mention": {
      const text = mentionText(inline.data)
      const children: Phrasing = text === "" ? [] : [{ type: "text", value: text }]
      return [{ type: "link", url: urlOf(inline.data.ref), title: "mention", children }]
    }
    case "button":
      return between(tagsOfButton(inline.data), inline.data.label)
  }
}

/** Nests the pieces from `start` to `end` by their marks. Their first `depth` marks are already around all of them. */
const nest = (pieces: ReadonlyArray<Piece>, start: number, end: number, depth: number): Phrasing => {
  const nodes: Phrasing = []
  for (let from = start; from < end; ) {
    const piece = pieces[from]!
    const mark = piece.marks[depth]
    let to = from + 1
    if (mark === undefined) {
      for (const node of piece.nodes) append(nodes, node)
    } else {
      const key = markKey(mark)
      while (to < end && hasMark(pieces[to]!.marks[depth], key)) to++
      for (const node of withSpan(mark, nest(pieces, from, to, depth + 1))) append(nodes, node)
    }
    from = to
  }
  // The serializer replaces a line feed before a tag, but after it has escaped the text.
  const joined = nodes.map((node, index) =>
    node.type === "text" && isTag(nodes[index + 1])
      ? { ...node, value: node.value.replace(/\n$/, " ") }
      : node
  )
  return joined.map((node, index) =>
    node.type === "break" && !canBreakAt(joined, index) ? html("<br>") : node
  )
}

/**
 * Whether a line break can be written as a line feed: between other nodes, not next to another line feed, and not next
 * to HTML or a tag, which would be a block on a line of its own.
 */
const canBreakAt = (nodes: Phrasing, index: number): boolean => {
  const [previous, next] = [nodes[index - 1], nodes[index + 1]]
  if (previous === undefined || next === undefined || startsBlock(next)) return false
  if ([-1, 1].some((step) => isTag(nextOf(nodes, index, step)))) return false
  return (
    !(next.type === "text" && /^[ \t]*\n/.test(next.value)) &&
    !(previous.type === "text" && /\n[ \t]*$/.test(previous.value))
  )
}

/** Whether HTML can be a block at the start of a line that continues a paragraph. Most inline elements cannot. */
const startsBlock = (node: Mdast.PhrasingContent): boolean =>
  node.type === "html" &&
  !/^<\/?(?:a|abbr|b|br|button|code|del|em|i|img|kbd|mark|picture|s|span|strong|sub|sup|u)\b/i.test(
    node.value
  )

const isTag = (node: Mdast.PhrasingContent | undefined): boolean =>
  node?.type === "html" && node.value.startsWith("{%")

/** The next node in a direction, without whitespace. */
const nextOf = (nodes: Phrasing, index: number, step: number): Mdast.PhrasingContent | undefined => {
  let at = index + step
  for (let node = nodes[at]; node?.type === "text" && node.value.trim() === ""; node = nodes[at]) at += step
  return nodes[at]
}

const hasMark = (mark: Mark | undefined, key: string): boolean => mark !== undefined && markKey(mark) === key

const withSpan = (mark: Mark, children: Phrasing): Phrasing => {
  switch (mark.type) {
    case "bold":
      return [{ type: "strong", children }]
    case "italic":
    case "code":
      return [{ type: "emphasis", children }]
    case "strikethrough":
      return [{ type: "delete", children }]
    default: {
      const { open, close } = tagsOfMark(mark)
      return [html(open), ...children, html(close)]
    }
  }
}

const append = (nodes: Phrasing, node: Mdast.PhrasingContent): void => {
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
  // Names of emojis and dollars of formulas that adjoin other text are ambiguous.
  if (last?.type === "emoji" && node.type === "text" && !canFollowName(node.value)) {
    nodes[at] = html(writeEmoji(emojiNamed(last.name)?.code ?? ""))
  }
  if (node.type === "emoji" && last?.type === "text" && !canPrecedeName(last.value)) {
    nodes.push(html(writeEmoji(emojiNamed(node.name)?.code ?? "")))
  } else if (node.type === "inlineMath" && last?.type === "inlineMath") nodes.push(html(mathTag(node.value)))
  else nodes.push(node)
}

const isReference = (
  node: Mdast.PhrasingContent | undefined
): node is Mdast.LinkReference | Mdast.ImageReference =>
  node?.type === "linkReference" || node?.type === "imageReference"

const opensBracket = ({ type }: Mdast.PhrasingContent) =>
  type === "link" || type === "linkReference" || type === "footnoteReference"

const toLink = (link: Link, definitions: Definitions, marks: Marks): Mdast.Link | Mdast.LinkReference => {
  const children = toPhrasing(link.nodes, definitions, marks)
  const { ref, title, reference } = link.data
  const association = associationOf(ref, title, reference, definitions)
  return association === undefined
    ? { type: "link", url: urlOf(ref), title: title ?? null, children }
    : { type: "linkReference", ...association, children }
}

/** Converts an annotation to a link to its footnote, and a reference to the footnote. */
const toAnnotation = (node: Annotation, definitions: Definitions, outer: Marks): Phrasing => {
  const children = toPhrasing(node.nodes, definitions, outer)
  const label = addFootnote(node, definitions)
  if (label === undefined) return children
  return [
    { type: "link", url: `#user-content-fn-${label}`, title: null, children },
    { type: "footnoteReference", identifier: label.toLowerCase(), label }
  ]
}

/** Adds the footnote of an annotation, and returns its label. */
export const addFootnote = ({ fragments }: Annotation, definitions: Definitions): string | undefined => {
  const [body] = fragments
  if (body === undefined || !(definitions instanceof FootnoteWriter)) return undefined
  return definitions.add(body.fragment, () =>
    body.nodes.map((paragraph) => ({
      type: "paragraph",
      children: toPhrasing(paragraph.nodes, definitions)
    }))
  )
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
