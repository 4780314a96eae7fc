/** Converts phrasing content of the syntax tree to the inlines of a document. */

import type { Definition, Inline, Leaf, Mark, SimpleInline } from "@lectern/model/document"
import type { ImageReference, Link, LinkReference, Image as MdastImage, Nodes, PhrasingContent } from "mdast"
import { charactersOfEmoji, emojiNamed } from "./emojis.ts"
import { FootnoteBodies } from "./footnoteBodies.ts"
import { parseHtml, parseTag } from "./html/htmlTree.ts"
import {
  annotationLabel,
  isLinked,
  meaningOf,
  mentionData,
  mentionText,
  readImage
} from "./html/inlineElements.ts"
import { pairTags, type TagPair } from "./html/inlineTags.ts"
import { InlineBuilder, withMark } from "./InlineBuilder.ts"
import { labelKey, refOfImage, refOfLink } from "./linkReferences.ts"

/** Link definitions by the key of their label. */
export type Definitions = Pick<ReadonlyMap<string, Definition>, "get">

type Phrasing = ReadonlyArray<PhrasingContent>
type Marks = ReadonlyArray<Mark>

const mark = (type: Exclude<Mark["type"], "color">): Mark => ({ object: "mark", type })
const bold = mark("bold")
const italic = mark("italic")
const strikethrough = mark("strikethrough")
const code = mark("code")

/** The maximum depth of elements in a line. Deeper tags stay HTML. */
const maximumDepth = 20

/** Converts the phrasing content of a block. Text between other nodes becomes one node, with a leaf per run of marks. */
export const toInlines = (children: Phrasing, key: string, definitions: Definitions): Array<Inline> => {
  const reader = new PhrasingReader(new InlineBuilder(key), definitions)
  reader.read(children, [], false, 0)
  return reader.builder.build()
}

class PhrasingReader {
  readonly builder: InlineBuilder
  private readonly definitions: Definitions

  constructor(builder: InlineBuilder, definitions: Definitions) {
    this.builder = builder
    this.definitions = definitions
  }

  read(nodes: Phrasing, marks: Marks, isInLink: boolean, depth: number): void {
    const pairs = depth < maximumDepth ? pairTags(nodes) : undefined
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!
      const pair = node.type === "html" ? pairs?.get(index) : undefined
      if (
        pair !== undefined &&
        this.readElement(nodes.slice(index + 1, pair.end), pair, marks, isInLink, depth)
      ) {
        index = pair.end
      } else if (this.readAnnotation(node, nodes[index + 1], marks, isInLink, depth)) index++
      else this.readNode(node, marks, isInLink, depth)
    }
  }

  private readNode(node: PhrasingContent, marks: Marks, isInLink: boolean, depth: number): void {
    const { builder } = this
    switch (node.type) {
      case "text":
        builder.addText(node.value, marks)
        break
      case "emphasis":
        this.read(node.children, withMark(marks, italic), isInLink, depth)
        break
      case "strong":
        this.read(node.children, withMark(marks, bold), isInLink, depth)
        break
      case "delete":
        this.read(node.children, withMark(marks, strikethrough), isInLink, depth)
        break
      case "inlineCode":
        builder.addText(node.value, withMark(marks, code))
        break
      case "inlineMath":
        builder.addAtom({ type: "inline-math", data: { formula: node.value } }, marks)
        break
      case "emoji":
        builder.addAtom({ type: "emoji", data: { code: emojiNamed(node.name)!.code } }, marks)
        break
      case "break":
        builder.addText("\n", marks, "break")
        break
      case "html":
        this.readTag(node.value, marks)
        break
      case "footnoteReference":
        builder.addText(`[^${labelOf(node)}]`, marks, "footnote")
        break
      case "image":
      case "imageReference":
        builder.addImage(this.imageData(node), marks)
        break
      case "link":
      case "linkReference":
        this.readLink(node, marks, depth)
        break
    }
  }

  private imageData(node: MdastImage | ImageReference) {
    const { url, title, reference } = resolveTarget(node, this.definitions)
    return {
      ref: refOfImage(url),
      ...(node.alt ? { alt: node.alt } : {}),
      ...(title ? { caption: title } : {}),
      ...(reference === undefined ? {} : { reference })
    }
  }

  private readLink(node: Link | LinkReference, marks: Marks, depth: number): void {
    const { url, title, reference } = resolveTarget(node, this.definitions)
    const mention = title === "mention" && reference === undefined ? plainPhrasing(node.children) : undefined
    if (mention !== undefined) {
      this.builder.addAtom({ type: "mention", data: mentionData(url, mention) }, marks)
      return
    }
    const data = {
      ref: refOfLink(url),
      ...(title ? { title } : {}),
      ...(reference === undefined ? {} : { reference })
    }
    this.builder.addLink(data, marks, (inner) => this.read(node.children, inner, true, depth))
  }

  /** Reads the text of an annotation, which is a link to its footnote, followed by a reference to the footnote. */
  private readAnnotation(
    node: PhrasingContent,
    next: PhrasingContent | undefined,
    marks: Marks,
    isInLink: boolean,
    depth: number
  ): boolean {
    if (isInLink || node.type !== "link" || next?.type !== "footnoteReference") return false
    const label = annotationLabel(node.url)
    if (label === undefined || node.title || label !== labelOf(next) || !isText(node.children)) return false
    return this.addAnnotation(label, marks, (inner) => this.read(node.children, inner, true, depth))
  }

  private addAnnotation(label: string, marks: Marks, addContent: (marks: Marks) => void): boolean {
    const paragraphs = annotationParagraphs(label, this.definitions)
    if (paragraphs === undefined) return false
    const nodes = paragraphs.map((nodes, index) => ({
      object: "block" as const,
      type: "paragraph" as const,
      key: `${label}.${index}`,
      isVoid: false as const,
      nodes
    }))
    const fragment = { object: "fragment", fragment: label, type: "annotation-body", nodes } as const
    this.builder.addAnnotation(fragment, marks, addContent)
    return true
  }

  /** Reads the content between two tags. Returns false if the tags have no meaning, so that they stay HTML. */
  private readElement(
    content: Phrasing,
    { tag }: TagPair,
    marks: Marks,
    isInLink: boolean,
    depth: number
  ): boolean {
    const { builder } = this
    if (tag.name === "picture") {
      if (!content.every((node) => node.type === "html")) return false
      const [element] = parseHtml(`<picture>${content.map(({ value }) => value).join("")}</picture>`) ?? []
      const image =
        element === undefined || typeof element === "string" || tag.attributes.size > 0
          ? undefined
          : readImage(element)
      if (image !== undefined) builder.addImage(image, marks)
      return image !== undefined
    }
    const meaning = meaningOf(tag)
    switch (meaning?.kind) {
      case undefined:
        return false
      case "mark": {
        const before = builder.additions
        const inner = withMark(marks, meaning.mark)
        if (inner === marks) return false
        this.read(content, inner, isInLink, depth + 1)
        return builder.additions > before
      }
      case "link": {
        if (isInLink || content.some(hasLink)) return false
        const { kind: _, ...data } = meaning
        builder.addLink(data, marks, (inner) => this.read(content, inner, true, depth + 1))
        return true
      }
      case "annotation":
        if (isInLink || !isText(content)) return false
        return this.addAnnotation(meaning.label, marks, (inner) => this.read(content, inner, true, depth + 1))
      case "atom": {
        const text = plainPhrasing(content)
        const atom = text === undefined ? undefined : meaning.read(text)
        if (atom === undefined || (isInLink && isLinked(atom))) return false
        builder.addAtom(atom, marks)
        return true
      }
    }
  }

  private readTag(value: string, marks: Marks): void {
    const tag = /^<(?:img|br)\b/i.test(value) ? parseTag(value) : undefined
    if (tag?.name === "br" && tag.attributes.size === 0) {
      this.builder.addText("\n", marks, "break")
      return
    }
    const image = tag?.name === "img" ? readImage({ ...tag, children: [] }) : undefined
    if (image !== undefined) this.builder.addImage(image, marks)
    // Lines of a paragraph have no indentation, including those within a tag.
    else this.builder.addText(value.replace(/\n[ \t]+/g, "\n"), marks, "html")
  }
}

/** Returns the paragraphs of the annotation with a label, once. */
export const annotationParagraphs = (
  label: string,
  definitions: Definitions
): ReadonlyArray<ReadonlyArray<SimpleInline>> | undefined => {
  const body = definitions instanceof FootnoteBodies ? definitions.take(label) : undefined
  // A footnote in a footnote stays one: their expansion could be infinite.
  const links: Definitions = { get: (key) => definitions.get(key) }
  return body?.children.map(
    ({ children }, index) => toInlines(children, `${label}.${index}`, links) as ReadonlyArray<SimpleInline>
  )
}

/** The text of phrasing content that consists of text. */
const plainPhrasing = (nodes: Phrasing): string | undefined => {
  let text = ""
  for (const node of nodes) {
    if (node.type === "text") text += node.value
    else if (node.type === "emoji") text += `:${node.name}:`
    else return undefined
  }
  return text
}

/** Whether phrasing content becomes text with marks. */
const isText = (nodes: Phrasing): boolean =>
  nodes.every((node) =>
    node.type === "text" || node.type === "inlineCode" || node.type === "html"
      ? node.type !== "html" || !/^<(?:img|picture|a|i|span|button|code)\b/i.test(node.value)
      : "children" in node && node.type !== "link" && node.type !== "linkReference" && isText(node.children)
  )

/** Whether phrasing content is a link of Markdown, or contains one. */
const hasLink = (node: PhrasingContent): boolean =>
  node.type === "link" || node.type === "linkReference" || ("children" in node && node.children.some(hasLink))

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

/**
 * Returns the plain text of inlines, from which the ids of headings are derived. `hasExpressions` includes the code of
 * expressions, which pages display.
 */
export const plainText = (nodes: ReadonlyArray<Inline>, hasExpressions = false): string =>
  nodes
    .map((node): string => {
      if (node.object === "text") return node.leaves.map(plainLeaf).join("")
      switch (node.type) {
        case "link":
        case "annotation":
          return plainText(node.nodes, hasExpressions)
        case "expression":
          return hasExpressions ? node.data.expression : ""
        case "inline-image":
          return node.data.alt ?? ""
        case "inline-math":
          return node.data.formula
        case "emoji":
          return charactersOfEmoji(node.data.code)
        case "mention":
          return mentionText(node.data)
        case "button":
          return node.data.label
        default:
          return ""
      }
    })
    .join("")

const plainLeaf = (leaf: Leaf) =>
  leaf.data?.markdown === "html" || leaf.data?.markdown === "footnote" ? "" : leaf.text
