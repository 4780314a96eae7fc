/** Ids of headings, and the ids that GitBook derives for them, which links from elsewhere refer to. */
import type { DocumentBlock } from "@lectern/core"
import { anchorsInHtml, expandableAnchorOf, gitBookAnchorsOf } from "@lectern/formats/threads"
import { plainTextOf } from "./inlines.ts"

/** The maximum nesting of blocks in which headings are found. */
const maximumDepth = 60

/** Returns the id that a heading should have. */
export const preferredIdOf = (block: DocumentBlock.Heading): string =>
  block.data.anchor ?? block.data.id ?? block.meta?.id ?? plainTextOf(block.nodes)

interface AnyNode {
  readonly type?: string
  readonly nodes?: ReadonlyArray<unknown>
  readonly fragments?: ReadonlyArray<unknown>
  readonly leaves?: ReadonlyArray<unknown>
  readonly text?: string
  readonly data?: object
}

const isHeading = (node: AnyNode): node is DocumentBlock.Heading => node.type?.startsWith("heading-") === true

/** Returns the text of the title of an expandable block. */
export const expandableTitleOf = (fragments: DocumentBlock.Expandable["fragments"]): string =>
  (
    fragments.find(({ type }) => type === "expandable-title") as DocumentBlock.ExpandableTitle | undefined
  )?.nodes
    .map(({ nodes }) => plainTextOf(nodes))
    .join(" ") ?? ""

const isExpandable = (node: AnyNode): node is DocumentBlock.Expandable => node.type === "expandable"

/** The ids in a document. */
export interface DocumentIds {
  /** The ids of its headings and expandable blocks. */
  readonly headings: ReadonlySet<string>
  /** The ids of elements of HTML, as in `<a id="install"></a>`. */
  readonly anchors: ReadonlySet<string>
}

const isHtml = ({ data }: AnyNode): boolean =>
  (data as { readonly markdown?: unknown } | undefined)?.markdown === "html"

/** Returns the text of leaves or of a block of code. */
const textIn = ({ text = "", nodes = [], leaves = [] }: AnyNode): string =>
  text + ([...nodes, ...leaves] as ReadonlyArray<AnyNode>).map(textIn).join("\n")

/** Returns the ids in a document. */
export const idsIn = (nodes: ReadonlyArray<unknown>): DocumentIds => {
  const ids = new Set<string>()
  const anchors = new Set<string>()
  const visit = (children: ReadonlyArray<unknown>, depth: number): void => {
    for (const child of depth > maximumDepth ? [] : (children as ReadonlyArray<AnyNode>)) {
      if (isHtml(child)) {
        for (const anchor of anchorsInHtml(textIn(child))) anchors.add(anchor)
        continue
      }
      const { nodes: below = [], fragments = [], leaves = [] } = child
      visit(leaves, depth + 1)
      visit(below, depth + 1)
      visit(fragments, depth + 1)
      if (isHeading(child)) ids.add(preferredIdOf(child))
      if (isExpandable(child)) ids.add(expandableAnchorOf(expandableTitleOf(child.fragments)))
    }
  }
  visit(nodes, 0)
  return { headings: ids, anchors }
}

/** Returns the ids that GitBook derives for a heading. An anchor that is written in the source is the only one. */
export const aliasesOf = (block: DocumentBlock.Heading): ReadonlyArray<string> =>
  block.data.anchor === undefined ? gitBookAnchorsOf(plainTextOf(block.nodes)) : []
