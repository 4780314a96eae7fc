/**
 * Plans the edits that turn Markdown into the Markdown of another document. The Markdown of nodes that both documents
 * have is preserved. A container whose own data is unchanged is edited inside, and other nodes are replaced.
 */
import type { Block, JsonDocument, List, ListItem } from "@lectern/model/document"
import { alignSequences, bestPairs } from "./alignSequences.ts"
import { hasForm, MarkdownWriter, separatorOf } from "./MarkdownWriter.ts"
import type { AnyNode, NodeIdentity } from "./nodeIdentity.ts"
import { similarityOf } from "./nodeSimilarity.ts"
import type { SourceRange, SourceRanges } from "./SourceRanges.ts"
import { TextEdits } from "./TextEdits.ts"
import { transplantEdits } from "./transplantEdits.ts"

/** Unaligned nodes: a range of indexes in each sequence. */
export interface Hunk {
  readonly before: SourceRange
  readonly after: SourceRange
}

/** The Markdown that is edited. */
export interface EditSource {
  /** The normalized Markdown. */
  readonly text: string
  readonly document: JsonDocument
  readonly ranges: SourceRanges
  readonly identity: NodeIdentity
}

/** A sequence of nodes: how nodes are written into it. */
interface Place {
  /** Writes new nodes with a separator between them. Undefined if only whole containers of such nodes can be written. */
  readonly write: ((nodes: ReadonlyArray<AnyNode>, neighbor: SourceRange) => string | undefined) | undefined
  /** Returns the separator between a node and another one, of which one has the range `neighbor`. */
  readonly separator: (neighbor: SourceRange) => string | undefined
}

/** The number of pairs of nodes in a hunk up to which nodes are paired by similarity. */
const maximumSimilarityPairs = 2500

/** The types of blocks that occur only in a block of a certain type. */
const isPart = ({ object, type }: AnyNode): boolean =>
  object !== "block" || /^(?:.*-item|.*-step|column|update|code-line|image)$/.test(type ?? "")

/** Plans the edits of one document. */
export class EditPlanner {
  readonly edits = new TextEdits()
  readonly writer: MarkdownWriter
  private readonly source: EditSource
  private readonly target: JsonDocument
  /** The ranges of definitions and footnotes, which are between blocks but not blocks of the document. */
  private readonly pinned: ReadonlyArray<SourceRange>
  /** Whether changed blocks are edited within their text. Otherwise, they are replaced. */
  private editsText = false

  constructor(source: EditSource, target: JsonDocument) {
    this.source = source
    this.target = target
    this.writer = new MarkdownWriter(source.text, target.data)
    const { definitions = [], footnotes = [] } = source.document.data
    this.pinned = [
      ...[...definitions, ...footnotes].flatMap((node) => source.ranges.of(node) ?? []),
      ...source.ranges.annotationBodies
    ].sort((a, b) => a.start - b.start)
  }

  /**
   * Plans edits inside of containers, and inside of the text of blocks if `editsText` is true. Returns whether it is
   * possible.
   */
  planWithin(editsText: boolean): boolean {
    this.editsText = editsText
    return this.editNodes(this.source.document.nodes, this.target.nodes, {
      write: (nodes, neighbor) => this.writer.blocks(nodes, "", false, neighbor),
      separator: () => "\n\n"
    })
  }

  /** Plans the replacement of top-level blocks, with `margin` unchanged blocks on both sides of each change. */
  planReplacements(margin: number): boolean {
    const { nodes } = this.source.document
    if (this.target.nodes.length === 0) return false
    for (const { before, after } of widen(this.hunksOf(nodes, this.target.nodes), nodes.length, margin)) {
      const [first, last] = [nodes[before.start], nodes[before.end - 1]]
      const [start, end] = [first && this.rangeOf(first)?.start, last && this.rangeOf(last)?.end]
      if (before.start === before.end || start === undefined || end === undefined) return false
      this.edits.replace(start, end, this.writer.blocks(this.target.nodes.slice(after.start, after.end), ""))
    }
    return true
  }

  /** The unaligned nodes of two sequences. */
  hunksOf(before: ReadonlyArray<object>, after: ReadonlyArray<object>): ReadonlyArray<Hunk> {
    const { identity } = this.source
    const numbers = (nodes: ReadonlyArray<object>) => nodes.map((node) => identity.of(node))
    const hunks: Array<Hunk> = []
    let [lastBefore, lastAfter] = [0, 0]
    for (const [a, b] of [
      ...alignSequences(numbers(before), numbers(after)),
      [before.length, after.length] as const
    ]) {
      if (a > lastBefore || b > lastAfter) {
        hunks.push({ before: { start: lastBefore, end: a }, after: { start: lastAfter, end: b } })
      }
      lastBefore = a + 1
      lastAfter = b + 1
    }
    return hunks
  }

  /** Plans the edits of a sequence of nodes. Returns false, without edits, if it is not possible. */
  editNodes(before: ReadonlyArray<AnyNode>, after: ReadonlyArray<AnyNode>, place: Place): boolean {
    if (before.length === 0 || after.length === 0) return before.length === after.length
    const size = this.edits.size
    for (const hunk of this.hunksOf(before, after)) {
      if (this.editHunk(before, after, hunk, place)) continue
      this.edits.truncate(size)
      return false
    }
    return true
  }

  private editHunk(
    before: ReadonlyArray<AnyNode>,
    after: ReadonlyArray<AnyNode>,
    hunk: Hunk,
    place: Place
  ): boolean {
    const removed = before.slice(hunk.before.start, hunk.before.end)
    const added = after.slice(hunk.after.start, hunk.after.end).filter((node) => hasForm(node as Block))
    let [at, to] = [0, 0]
    for (const [a, b] of [...this.pairsOf(removed, added), [removed.length, added.length] as const]) {
      if (!this.insertNodes(before, hunk.before.start + at, added.slice(to, b), place)) return false
      // Without a node before them, each is deleted with the separator after it.
      const isLeading = hunk.before.start === 0 && b === 0
      for (; at < a; at++) if (!this.deleteNode(before, hunk.before.start + at, isLeading)) return false
      if (a < removed.length && !this.editNode(removed[a]!, added[b]!, place)) return false
      at = a + 1
      to = b + 1
    }
    return true
  }

  /** Pairs the nodes of a hunk, so that each removed node is replaced by the most similar added node. */
  private pairsOf(removed: ReadonlyArray<AnyNode>, added: ReadonlyArray<AnyNode>) {
    if (removed.length === added.length || removed.length * added.length > maximumSimilarityPairs) {
      return Array.from(
        { length: Math.min(removed.length, added.length) },
        (_, index) => [index, index] as const
      )
    }
    return bestPairs(removed.length, added.length, (a, b) => similarityOf(removed[a]!, added[b]!))
  }

  /** The range of a node. The parser ends a list in a quote after the marker of the following empty line. */
  private rangeOf(node: AnyNode): SourceRange | undefined {
    const range = this.source.ranges.of(node)
    const last = node.type?.startsWith("list") === true ? node.nodes?.at(-1) : undefined
    const end = last === undefined ? undefined : this.rangeOf(last)?.end
    return range === undefined ||
      end === undefined ||
      !/^[\s>]*$/.test(this.source.text.slice(end, range.end))
      ? range
      : { start: range.start, end }
  }

  /** The end of the last node or definition before the node at an index; undefined if the node is the first. */
  private endBefore(nodes: ReadonlyArray<AnyNode>, index: number): number | undefined {
    const own = this.rangeOf(nodes[index]!)
    const previous = index === 0 ? undefined : this.rangeOf(nodes[index - 1]!)
    if (own === undefined || previous === undefined) return undefined
    return (
      this.pinned.findLast(({ start, end }) => start >= previous.end && end <= own.start)?.end ?? previous.end
    )
  }

  /** The start of the first node or definition after the node at an index; undefined if the node is the last. */
  private startAfter(nodes: ReadonlyArray<AnyNode>, index: number): number | undefined {
    const own = this.rangeOf(nodes[index]!)
    const next = index === nodes.length - 1 ? undefined : this.rangeOf(nodes[index + 1]!)
    if (own === undefined || next === undefined) return undefined
    return this.pinned.find(({ start, end }) => start >= own.end && end <= next.start)?.start ?? next.start
  }

  /** Whether an empty line is between two offsets. */
  private isSeparate(from: number, to: number): boolean {
    return /\n[ \t>]*\n/.test(this.source.text.slice(from, to))
  }

  /** Deletes a node with the separator before it, or else with the one after it. */
  private deleteNode(nodes: ReadonlyArray<AnyNode>, index: number, isLeading: boolean): boolean {
    const own = this.rangeOf(nodes[index]!)
    const after = this.startAfter(nodes, index)
    const before = isLeading && after !== undefined ? undefined : this.endBefore(nodes, index)
    if (own === undefined || (before === undefined && after === undefined)) return false
    // An empty line separates blocks that would otherwise be one, such as paragraphs.
    const keepsBefore = after !== undefined && before !== undefined && !this.isSeparate(own.end, after)
    if (before === undefined || (keepsBefore && this.isSeparate(before, own.start))) {
      this.edits.delete(own.start, after!)
    } else this.edits.delete(before, own.end)
    return true
  }

  /** Inserts nodes before the node at an index. */
  private insertNodes(
    nodes: ReadonlyArray<AnyNode>,
    index: number,
    added: ReadonlyArray<AnyNode>,
    place: Place
  ): boolean {
    if (added.length === 0) return true
    const neighbor = this.rangeOf(nodes[index === 0 ? 0 : index - 1]!)
    if (neighbor === undefined || place.write === undefined) return false
    const [text, separator] = [place.write(added, neighbor), place.separator(neighbor)]
    if (text === undefined || separator === undefined) return false
    // Some nodes have no form in Markdown, such as empty paragraphs.
    if (text === "") return true
    if (index === 0) this.edits.insert(neighbor.start, text + separator)
    else {
      const next = this.startAfter(nodes, index - 1)
      const isJoined = next !== undefined && !this.isSeparate(neighbor.end, next)
      const emptyLine = isJoined ? separator.slice(0, separator.lastIndexOf("\n")) : ""
      this.edits.insert(neighbor.end, separator + text + emptyLine)
    }
    return true
  }

  /** Changes a node to another one. */
  private editNode(before: AnyNode, after: AnyNode, place: Place): boolean {
    const range = this.rangeOf(before)
    if (range === undefined) return false
    const size = this.edits.size
    if (
      before.type === after.type &&
      this.editOwnData(before, after, range) &&
      this.editChildren(before, after)
    ) {
      return true
    }
    this.edits.truncate(size)
    const text = place.write?.([after], range)
    if (text === undefined || text === "") return false
    this.editRange(range, before.type === after.type ? place.write?.([before], range) : undefined, text)
    return true
  }

  /** Turns the text of a range into `after`. `before` is the normalized form of the text. */
  editRange({ start, end }: SourceRange, before: string | undefined, after: string): void {
    const replacements =
      this.editsText && before !== undefined
        ? transplantEdits(this.source.text.slice(start, end), before, after)
        : undefined
    if (replacements === undefined) this.edits.replace(start, end, after)
    else for (const one of replacements) this.edits.replace(start + one.start, start + one.end, one.text)
  }

  /** Changes the data of a node without its children. Only the state of a checkbox can change. */
  private editOwnData(before: AnyNode, after: AnyNode, range: SourceRange): boolean {
    const { identity, text } = this.source
    if (identity.ofOwnData(before) === identity.ofOwnData(after)) return true
    const { checked: was, ...rest } = (before as ListItem).data ?? {}
    const { checked: is, ...others } = (after as ListItem).data ?? {}
    if (before.type !== "list-item" || was === undefined || is === undefined) return false
    if (identity.ofOwnData({ ...before, data: rest }) !== identity.ofOwnData({ ...after, data: others }))
      return false
    const found = /^(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ xX\t]\]/.exec(text.slice(range.start, range.start + 40))
    if (found === null) return false
    const at = range.start + found[0].length - 2
    this.edits.replace(at, at + 1, is ? "x" : " ")
    return true
  }

  /** Plans the edits of the blocks of a footnote. Returns false if it is not possible. */
  editBlocks(before: ReadonlyArray<Block>, after: ReadonlyArray<Block>): boolean {
    return this.editNodes(before, after, this.placeIn({ object: "block" }))
  }

  private editChildren(before: AnyNode, after: AnyNode): boolean {
    const [from, to] = [before.nodes ?? before.fragments ?? [], after.nodes ?? after.fragments ?? []]
    if (this.source.identity.areEqual(from, to)) return true
    if (!from.every(isContainerChild) || !to.every(isContainerChild)) return false
    if (before.type?.startsWith("list-") === true && before.type !== "list-item") {
      return this.editItems(before as List, after as List)
    }
    if (from.some(isPart) || to.some(isPart)) {
      return this.editNodes(from, to, isTagContainer(before) ? this.placeOfTags(before, after) : partPlace)
    }
    return this.editNodes(from, to, this.placeIn(before))
  }

  /** The place of the parts of a container of tags, such as tabs. */
  private placeOfTags(before: AnyNode, after: AnyNode): Place {
    return {
      write: (nodes, neighbor) => {
        const prefix = this.writer.prefixAt(neighbor.start)
        return prefix === undefined ? undefined : this.writer.tagItems(after, nodes, prefix)
      },
      separator: (neighbor) => this.separatorIn(before, neighbor, false)
    }
  }

  /** The separator of the parts of a container: that of the first two, or else the default. */
  private separatorIn({ nodes = [] }: AnyNode, { start }: SourceRange, isTight: boolean): string | undefined {
    const [first, second] = nodes
    const [from, to] = [first && this.rangeOf(first)?.end, second && this.rangeOf(second)?.start]
    if (
      from !== undefined &&
      to !== undefined &&
      !this.pinned.some((range) => range.start >= from && range.end <= to)
    ) {
      return this.source.text.slice(from, to)
    }
    const prefix = this.writer.prefixAt(start)
    return prefix === undefined ? undefined : separatorOf(prefix, isTight)
  }

  /** The place of the blocks of a container. Text is indented as the block next to it. */
  private placeIn(container: AnyNode): Place {
    const isTight = container.type === "list-item" && (container as ListItem).data?.spread !== true
    return {
      write: (nodes, neighbor) => {
        const prefix = this.writer.prefixAt(neighbor.start)
        return prefix === undefined ? undefined : this.writer.blocks(nodes, prefix, isTight, neighbor)
      },
      separator: ({ start }) => {
        const prefix = this.writer.prefixAt(start)
        return prefix === undefined ? undefined : separatorOf(prefix, isTight)
      }
    }
  }

  /** Plans the edits of the items of a list, which have the marker of the item next to them. */
  private editItems(before: List, after: List): boolean {
    const isSpread = before.nodes.some(({ data }) => data?.spread === true)
    const separator = (neighbor: SourceRange) => this.separatorIn(before, neighbor, !isSpread)
    const write = (nodes: ReadonlyArray<AnyNode>, neighbor: SourceRange): string | undefined => {
      const prefix = this.writer.prefixAt(neighbor.start)
      const between = separator(neighbor)
      if (prefix === undefined || between === undefined) return undefined
      const items = nodes.map((node) => {
        const item = node as ListItem
        return this.writer.item(before.nodes.includes(item) ? before : after, item, neighbor, prefix)
      })
      return items.includes(undefined) ? undefined : items.join(between)
    }
    return this.editNodes(before.nodes, after.nodes, { write, separator }) && this.startList(before, after)
  }

  /** Changes the number of the first item of the edited list, if its former first item is deleted. */
  private startList(before: List, after: List): boolean {
    if (after.type !== "list-ordered") return true
    const { identity, text } = this.source
    const [first] = after.nodes
    const index = before.nodes.findIndex(
      (item) => first !== undefined && identity.of(item) === identity.of(first)
    )
    const range = index <= 0 ? undefined : this.rangeOf(before.nodes[index]!)
    if (range === undefined) return true
    const digits = /^\d+/.exec(text.slice(range.start, range.start + 10))?.[0].length ?? 0
    if (digits > 0) this.edits.replace(range.start, range.start + digits, String(after.data?.start ?? 1))
    return true
  }
}

/** The place of nodes that can only be edited inside. */
const partPlace: Place = { write: undefined, separator: () => undefined }

/** Whether the parts of a container are tags, as in `{% tabs %}`. */
const isTagContainer = ({ type }: AnyNode): boolean =>
  type === "tabs" || type === "stepper" || type === "columns" || type === "updates"

const isContainerChild = ({ object, type }: AnyNode): boolean =>
  object === "fragment" || (object === "block" && type !== "code-line" && type !== "image")

/** Extends hunks by `margin` aligned nodes on both sides, at least to one node, and joins adjacent hunks. */
const widen = (hunks: ReadonlyArray<Hunk>, count: number, margin: number): ReadonlyArray<Hunk> => {
  const joined: Array<Hunk> = []
  for (const { before, after } of hunks) {
    const last = joined.at(-1)
    const least = before.start === before.end ? Math.max(margin, 1) : margin
    const left = Math.min(least, before.start - (last?.before.end ?? 0))
    const right = Math.min(least, count - before.end)
    const from =
      last !== undefined && left < least ? { before: last.before.start, after: last.after.start } : undefined
    if (from !== undefined) joined.pop()
    joined.push({
      before: { start: from?.before ?? before.start - left, end: before.end + right },
      after: { start: from?.after ?? after.start - left, end: after.end + right }
    })
  }
  return joined
}
