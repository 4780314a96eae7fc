/** Ids of headings, and the ids that GitBook derives for them, which links from elsewhere refer to. */
import type { DocumentBlock } from "@lectern/core"
import { expandableAnchorOf, gitBookAnchorsOf } from "@lectern/formats/threads"
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

/** Returns the ids of all headings and expandable blocks of a document. */
export const headingIdsIn = (nodes: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const ids = new Set<string>()
  const visit = (children: ReadonlyArray<unknown>, depth: number): void => {
    for (const child of depth > maximumDepth ? [] : (children as ReadonlyArray<AnyNode>)) {
      const { nodes: below = [], fragments = [] } = child
      visit(below, depth + 1)
      visit(fragments, depth + 1)
      if (isHeading(child)) ids.add(preferredIdOf(child))
      if (isExpandable(child)) ids.add(expandableAnchorOf(expandableTitleOf(child.fragments)))
    }
  }
  visit(nodes, 0)
  return ids
}

/** Returns the ids that GitBook derives for a heading. An anchor that is written in the source is the only one. */
export const aliasesOf = (block: DocumentBlock.Heading): ReadonlyArray<string> =>
  block.data.anchor === undefined ? gitBookAnchorsOf(plainTextOf(block.nodes)) : []
