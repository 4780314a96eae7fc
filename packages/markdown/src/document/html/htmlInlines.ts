/** Converts inline HTML to the inlines of a document. */
import type { Inline, Mark, SimpleInline } from "@lectern/model/document"
import { InlineBuilder, withMark } from "../InlineBuilder.ts"
import { textOnly } from "./htmlText.ts"
import { decodeInline, type HtmlNode } from "./htmlTree.ts"
import { isLinked, meaningOf, readImage } from "./inlineElements.ts"

type Nodes = ReadonlyArray<HtmlNode>
type Marks = ReadonlyArray<Mark>

/** Returns the body of the annotation with a label, once. */
export type TakeAnnotation = (label: string) => ReadonlyArray<ReadonlyArray<SimpleInline>> | undefined

/** Removes the whitespace at the start and the end of the content of a block, which browsers do not display. */
const trimContent = (nodes: Nodes): Nodes => {
  const trimmed = [...nodes]
  const [first] = trimmed
  if (typeof first === "string") trimmed[0] = first.replace(/^[ \t\n]+/, "")
  const last = trimmed.at(-1)
  if (typeof last === "string") trimmed[trimmed.length - 1] = last.replace(/[ \t\n]+$/, "")
  return trimmed
}

/** Converts the content of a block to inlines. Returns undefined if it contains HTML without a node in the contract. */
export const readHtmlInlines = (
  nodes: Nodes,
  key: string,
  takeAnnotation?: TakeAnnotation
): ReadonlyArray<Inline> | undefined => {
  const reader = new HtmlReader(new InlineBuilder(key), takeAnnotation)
  return reader.read(trimContent(nodes), [], false) ? reader.builder.build() : undefined
}

class HtmlReader {
  readonly builder: InlineBuilder
  private readonly takeAnnotation: TakeAnnotation | undefined

  constructor(builder: InlineBuilder, takeAnnotation: TakeAnnotation | undefined) {
    this.builder = builder
    this.takeAnnotation = takeAnnotation
  }

  /** Reads nodes. Returns false at HTML without a node in the contract. */
  read(nodes: Nodes, marks: Marks, isInLink: boolean): boolean {
    return nodes.every((node): boolean => {
      if (typeof node === "string") {
        this.builder.addText(decodeInline(node), marks)
        return true
      }
      switch (node.name) {
        case "br":
          if (node.attributes.size > 0) return false
          this.builder.addText("\n", marks, "break")
          return true
        case "img":
        case "picture": {
          const image = readImage(node)
          if (image !== undefined) this.builder.addImage(image, marks)
          return image !== undefined
        }
      }
      const meaning = meaningOf(node)
      const { children } = node
      switch (meaning?.kind) {
        case "mark":
          return this.read(children, withMark(marks, meaning.mark), isInLink)
        case "link": {
          if (isInLink) return false
          const { kind: _, ...data } = meaning
          let isKnown = true
          this.builder.addLink(data, marks, (inner) => {
            isKnown = this.read(children, inner, true)
          })
          return isKnown
        }
        case "annotation":
          return !isInLink && this.readAnnotation(meaning.label, children, marks)
        case "atom": {
          const text = textOnly(children)
          const atom = text === undefined ? undefined : meaning.read(text)
          if (atom === undefined || (isInLink && isLinked(atom))) return false
          this.builder.addAtom(atom, marks)
          return true
        }
        default:
          return false
      }
    })
  }

  private readAnnotation(label: string, children: Nodes, marks: Marks): boolean {
    // The text of an annotation has marks, but no other nodes.
    const text = new HtmlReader(new InlineBuilder(""), undefined)
    if (!text.read(children, [], true)) return false
    if (text.builder.build().some(({ object }) => object !== "text")) return false
    const bodies = this.takeAnnotation?.(label)
    if (bodies === undefined) return false
    const nodes = bodies.map((inlines, index) => ({
      object: "block" as const,
      type: "paragraph" as const,
      key: `${label}.${index}`,
      isVoid: false as const,
      nodes: inlines
    }))
    const fragment = { object: "fragment", fragment: label, type: "annotation-body", nodes } as const
    this.builder.addAnnotation(fragment, marks, (inner) => void this.read(children, inner, true))
    return true
  }
}
