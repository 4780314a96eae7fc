/** The places of the nodes of a document in the Markdown that it was parsed from. */

import { labelKey } from "./linkReferences.ts"

/** A half-open range of offsets in normalized Markdown. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

/** A node of the syntax tree. */
interface Positioned {
  readonly position?:
    | {
        readonly start: { readonly offset?: number | undefined }
        readonly end: { readonly offset?: number | undefined }
      }
    | undefined
}

/** The properties of nodes of documents that contain other nodes. */
interface Parent {
  readonly nodes?: ReadonlyArray<object>
  readonly fragments?: ReadonlyArray<object>
}

/** Records the source ranges of blocks, definitions and footnotes while Markdown is parsed. */
export class SourceRanges {
  private readonly ranges = new Map<object, SourceRange | undefined>()
  private readonly annotations = new Map<string, SourceRange>()

  /** Records the range of a node that was converted from one node of the syntax tree, or from `first` to `last`. */
  add(node: object | undefined, first: Positioned, last: Positioned = first): void {
    const [start, end] = [first.position?.start.offset, last.position?.end.offset]
    if (node !== undefined && start !== undefined && end !== undefined) this.ranges.set(node, { start, end })
  }

  /** Records the range of the footnote that is the body of the annotation with a label. */
  addAnnotation(label: string, { position }: Positioned): void {
    const [start, end] = [position?.start.offset, position?.end.offset]
    if (start !== undefined && end !== undefined) this.annotations.set(labelKey(label), { start, end })
  }

  /** Returns the range of the footnote that is the body of an annotation, by the key of its label. */
  ofAnnotation(key: string): SourceRange | undefined {
    return this.annotations.get(key)
  }

  /** The ranges of all bodies of annotations. */
  get annotationBodies(): ReadonlyArray<SourceRange> {
    return [...this.annotations.values()]
  }

  /** Returns the range of a node: the recorded one, or else the range from its first to its last child. */
  of(node: object): SourceRange | undefined {
    if (this.ranges.has(node)) return this.ranges.get(node)
    const { nodes, fragments } = node as Parent
    const children = (nodes ?? fragments ?? []).map((child) => this.of(child))
    const [first, last] = [children[0], children.at(-1)]
    const range =
      first === undefined || last === undefined ? undefined : { start: first.start, end: last.end }
    this.ranges.set(node, range)
    return range
  }
}
