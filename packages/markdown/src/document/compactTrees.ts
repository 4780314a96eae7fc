/** Syntax trees that are cached: without their positions, which are numbers relative to the start of their piece. */
import type { Nodes, RootContent } from "mdast"

/** The place of a piece in its document. */
export interface Origin {
  /** The offset of the piece. In trees of a parser, it is the offset in its input. */
  readonly offset: number
  /** The number of lines before the piece. */
  readonly line: number
}

/** The estimated size of a node in memory without its text, in bytes. */
const bytesPerNode = 120

/** The numbers per position: the line, the column and the offset of its start and of its end. */
const numbersPerPosition = 6

/** A node whose position is known to exist or not. */
interface PositionedNode {
  position?: Nodes["position"]
  children?: Array<PositionedNode>
  data?: object
  align?: Array<unknown>
}

/** A node of a cached tree. */
interface CompactNode {
  readonly node: object
  readonly hasPosition: boolean
  readonly children: ReadonlyArray<CompactNode> | undefined
}

/** Copies text, so that the cached part of a document does not retain all of it. */
const detached = (text: string): string => (text.length === 0 ? text : ` ${text}`.slice(1))

/** Trees of a piece. They are immutable; each use copies them. */
export class CompactTrees {
  /** The estimated size in memory, in bytes. */
  readonly bytes: number
  private readonly roots: ReadonlyArray<CompactNode>
  private readonly positions: Int32Array

  /** Copies trees whose piece starts at an origin. */
  constructor(trees: ReadonlyArray<RootContent>, origin: Origin) {
    const positions: Array<number> = []
    let [nodes, characters] = [0, 0]
    const compact = ({ position, children, ...node }: PositionedNode): CompactNode => {
      nodes++
      if (position !== undefined) {
        for (const { line, column, offset = 0 } of [position.start, position.end]) {
          positions.push(line - origin.line, column, offset - origin.offset)
        }
      }
      const copy: Record<string, unknown> = { ...node }
      for (const [name, value] of Object.entries(copy)) {
        if (typeof value !== "string" || name === "type") continue
        characters += value.length
        copy[name] = detached(value)
      }
      return { node: copy, hasPosition: position !== undefined, children: children?.map(compact) }
    }
    this.roots = trees.map((tree) => compact(tree as PositionedNode))
    this.positions = Int32Array.from(positions)
    this.bytes = 200 + nodes * bytesPerNode + characters * 2 + this.positions.byteLength
  }

  /** Returns copies of the trees, for a piece at a place of a document. */
  at({ start, line }: { readonly start: number; readonly line: number }): Array<RootContent> {
    const { positions } = this
    let next = 0
    const point = () => {
      const at = next
      next += numbersPerPosition / 2
      return { line: positions[at]! + line, column: positions[at + 1]!, offset: positions[at + 2]! + start }
    }
    const expand = ({ node, hasPosition, children }: CompactNode): PositionedNode => {
      const copy: PositionedNode = { ...node }
      // The order of positions is that of `compact`: a node comes before its children.
      const position = hasPosition ? { start: point(), end: point() } : undefined
      if (children !== undefined) copy.children = children.map(expand)
      if (position !== undefined) copy.position = position
      if (copy.data !== undefined) copy.data = { ...copy.data }
      if (copy.align !== undefined) copy.align = [...copy.align]
      return copy
    }
    return this.roots.map((root) => expand(root) as RootContent)
  }
}
