/** Builds the inlines of a block from text with marks, links, images and other nodes, in order. */
import type { Annotation, Inline, InlineImage, Leaf, Link, Mark, Text } from "@lectern/model/document"
import type { AtomData, ImageData } from "./html/inlineElements.ts"

type Marks = ReadonlyArray<Mark>

/** Identifies a mark. Marks with the same key have the same effect. */
export const markKey = (mark: Mark): string =>
  mark.type === "color" ? `color ${mark.data.text} ${mark.data.background}` : mark.type

/** Adds a mark unless it is present: nested equal marks have no effect. Code is the innermost mark. */
export const withMark = (marks: Marks, mark: Mark): Marks => {
  if (marks.some((other) => markKey(other) === markKey(mark))) return marks
  const last = marks.at(-1)
  return last?.type === "code" ? [...marks.slice(0, -1), mark, last] : [...marks, mark]
}

const haveSameMarks = (left: Marks, right: Marks): boolean =>
  left.length === right.length && left.every((mark, index) => markKey(mark) === markKey(right[index]!))

/** The target of a link, with its title and its reference. */
export type LinkData = Omit<Link["data"], "marks">

/** Builds inlines. Adjacent text with equal marks becomes one leaf, and adjacent leaves one node. */
export class InlineBuilder {
  readonly inlines: Array<Inline> = []
  /** How often content has been added. */
  additions = 0
  private leaves: Array<Leaf> = []
  private readonly key: string
  /** The number of marks around the link that contains the current content. */
  private outer = 0

  constructor(key: string) {
    this.key = key
  }

  private nextKey(): string {
    return `${this.key}.${this.inlines.length}`
  }

  /**
   * Adds text. `markdown` is its special form in Markdown. A line feed in code becomes a space, which is equivalent:
   * the text after it could split a heading, or be a block when it is written.
   */
  addText(value: string, marks: Marks, markdown?: "break" | "html" | "footnote"): void {
    const isCode = markdown === undefined && marks.at(-1)?.type === "code"
    const text = isCode ? value.replaceAll("\n", " ") : value
    if (markdown !== undefined || text !== "") this.additions++
    const last = this.leaves.at(-1)
    if (markdown !== undefined) this.leaves.push({ object: "leaf", text, marks, data: { markdown } })
    else if (text === "") return
    else if (last !== undefined && last.data === undefined && haveSameMarks(last.marks, marks)) {
      this.leaves[this.leaves.length - 1] = { ...last, text: last.text + text }
    } else this.leaves.push({ object: "leaf", text, marks })
  }

  /** Ends the current text. */
  flush(): void {
    if (this.leaves.length === 0) return
    this.inlines.push({ object: "text", key: this.nextKey(), leaves: this.leaves })
    this.leaves = []
  }

  private marksAround(marks: Marks): { readonly marks?: Marks } {
    const around = marks.slice(this.outer)
    return around.length > 0 ? { marks: around } : {}
  }

  /** Adds a node without content. */
  addAtom({ type, data }: AtomData, marks: Marks): void {
    this.additions++
    this.flush()
    const node = { object: "inline", type, key: this.nextKey(), isVoid: true } as const
    this.inlines.push({ ...node, data: { ...data, ...this.marksAround(marks) } } as Inline)
  }

  /** Adds an image. */
  addImage(data: ImageData & Pick<InlineImage["data"], "reference">, marks: Marks): void {
    this.additions++
    this.flush()
    this.inlines.push({
      object: "inline",
      type: "inline-image",
      key: this.nextKey(),
      isVoid: true,
      data: { ...data, ...this.marksAround(marks) }
    })
  }

  /** Adds a link. `addContent` adds its content, with the marks that it receives. */
  addLink(data: LinkData, marks: Marks, addContent: (marks: Marks) => void): void {
    const { key, nodes, around } = this.content(marks, addContent)
    this.inlines.push({
      object: "inline",
      type: "link",
      key,
      isVoid: false,
      nodes: nodes as Link["nodes"],
      data: { ...data, ...this.marksAround(around) }
    })
  }

  /** Adds an annotation. `addContent` adds its text, with the marks that it receives. */
  addAnnotation(
    fragment: Annotation["fragments"][number],
    marks: Marks,
    addContent: (marks: Marks) => void
  ): void {
    const { key, nodes } = this.content(marks, addContent)
    const body = { ...fragment, key: `${key}.body` }
    this.inlines.push({
      object: "inline",
      type: "annotation",
      key,
      isVoid: false,
      nodes: nodes as ReadonlyArray<Text>,
      data: {},
      fragments: [body]
    })
  }

  private content(marks: Marks, addContent: (marks: Marks) => void) {
    this.additions++
    this.flush()
    const before = this.inlines.length
    const key = this.nextKey()
    const outer = this.outer
    // A link cannot be code, but its text can.
    const around = marks.filter(({ type }) => type !== "code")
    this.outer = around.length
    addContent(marks)
    this.flush()
    this.outer = outer
    const nodes = this.inlines.splice(before).map((child, index) => ({ ...child, key: `${key}.${index}` }))
    return { key, nodes, around }
  }

  /** Ends the last text, and returns the inlines. */
  build(): Array<Inline> {
    this.flush()
    return this.inlines
  }
}
