/** The outline (bookmarks) of a document: its tree of pages, each with its headings. */
import type { BookPage } from "@lectern/formats/threads"
import type { Flow } from "./Flow.ts"
import { endObject, type PdfObject, toPdfString } from "./pdfkit.ts"
import { paper } from "./theme.ts"

/** The lowest level of headings in the outline. */
const maxOutlineLevel = 3

/** An item whose children can follow. `level` is the depth of a page, or the level of a heading below all pages. */
interface OpenItem {
  readonly level: number
  readonly object: PdfObject
  readonly data: Record<string, unknown>
  /** The last child. It is written when the next one, or no other, follows. */
  lastChild: OpenItem | undefined
  children: number
}

/** The level of headings of level 0. Pages are above all headings. */
const headingLevel = 1_000_000

/** Writes each item as soon as its next sibling is available, so that one item per level is in memory. */
export class Outline {
  private readonly flow: Flow
  private readonly root: OpenItem
  /** The path from the root to the last item. */
  private readonly path: Array<OpenItem>

  constructor(flow: Flow) {
    this.flow = flow
    const data = { Type: "Outlines" }
    this.root = { level: -1, object: flow.document.ref(data), data, lastChild: undefined, children: 0 }
    this.path = [this.root]
  }

  /** Adds the page that starts at the current position. */
  addPage({ title, depth }: BookPage): void {
    this.add(title, depth)
  }

  /** Adds a heading of the current page. */
  addHeading(title: string, level: number): void {
    if (level <= maxOutlineLevel) this.add(title, headingLevel + level)
  }

  private add(title: string, level: number): void {
    while (this.path.at(-1)!.level >= level) this.close()
    const parent = this.path.at(-1)!
    const { document, topOfDestination } = this.flow
    const data: Record<string, unknown> = {
      Title: toPdfString(title),
      Dest: [document.page.dictionary, "XYZ", 0, paper.height - topOfDestination, 0],
      Parent: parent.object
    }
    const item: OpenItem = { level, object: document.ref(data), data, lastChild: undefined, children: 0 }
    if (parent.lastChild === undefined) parent.data.First = item.object
    else {
      data.Prev = parent.lastChild.object
      parent.lastChild.data.Next = item.object
      endObject(parent.lastChild.object)
    }
    parent.lastChild = item
    parent.children++
    this.path.push(item)
  }

  /** Completes the last item of the path. It is written by its parent, which has its next sibling. */
  private close(): void {
    const item = this.path.pop()!
    if (item.lastChild === undefined) return
    endObject(item.lastChild.object)
    item.data.Last = item.lastChild.object
    // A negative number means that the item is collapsed.
    item.data.Count = item === this.root ? item.children : -item.children
    item.lastChild = undefined
  }

  /** Completes the outline. */
  finish(): void {
    const { root, path } = this
    while (path.length > 0) this.close()
    endObject(root.object)
    if (root.children === 0) return
    const { data } = this.flow.document._root
    data.Outlines = root.object
    data.PageMode = "UseOutlines"
  }
}
