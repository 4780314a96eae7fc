/** Writes a document over Markdown (see docs/decisions/0009-content-and-revisions.md). */
import type { JsonDocument } from "@lectern/model/document"
import { withUniqueLabels } from "./annotations.ts"
import { withReplacedBlocks } from "./boundedDocument.ts"
import { withClosedHtml } from "./closedHtml.ts"
import { EditPlanner, type EditSource } from "./EditPlanner.ts"
import { fromMarkdown } from "./fromMarkdown.ts"
import { NodeIdentity } from "./nodeIdentity.ts"
import { isTooExpensiveToParse } from "./parseCost.ts"
import { planDefinitions } from "./planDefinitions.ts"
import { SourceRanges } from "./SourceRanges.ts"
import { wellFormed } from "./syntax.ts"
import { toMarkdown } from "./toMarkdown.ts"

/** The margins of unchanged blocks that are rewritten with the changed ones, after edits inside of containers fail. */
const margins = [0, 1, 4]

/**
 * Returns Markdown that means the document `requested`. Nodes that are equal to nodes of `markdown`, except for their keys and derived
 * ids, are preserved byte for byte; for an unchanged document, the result is `markdown`. Changed nodes are
 * edited within their text, and new nodes are written in the style of the rest. The result is parsed again: if it does not
 * mean `document`, changed nodes are rewritten, then more, up to the whole Markdown. A result that is too expensive to parse is
 * not compared.
 *
 * @example
 * updateMarkdown("Hi\n===\n\n* a\n", fromMarkdown("# Hi\n\n- a\n- b\n")) // "Hi\n===\n\n* a\n* b\n"
 */
export const updateMarkdown = (markdown: string, requested: JsonDocument): string =>
  updateParsed(parseMarkdown(markdown), requested)

/** Markdown and the document that it is parsed to. */
export interface ParsedMarkdown {
  readonly markdown: string
  readonly document: JsonDocument
  readonly ranges: SourceRanges
}

/** Parses Markdown for {@link updateParsed}. */
export const parseMarkdown = (markdown: string): ParsedMarkdown => {
  const ranges = new SourceRanges()
  return { markdown, document: fromMarkdown(markdown, ranges), ranges }
}

/** Does the same as {@link updateMarkdown} for Markdown that has been parsed. */
export const updateParsed = (
  { markdown, document: current, ranges }: ParsedMarkdown,
  requested: JsonDocument
): string => {
  const text = wellFormed(markdown)
  const labeled = withUniqueLabels(withReplacedBlocks(requested, current, text, ranges))
  const document = withClosedHtml(labeled, current)
  const identity = new NodeIdentity()
  if (identity.areEqualDocuments(current, document)) return markdown
  const source: EditSource = { text, document: current, ranges, identity }
  const expectation = makeExpectation(document, identity)
  const planWithinText = (planner: EditPlanner) => planner.planWithin(true)
  for (const plan of [
    planWithinText,
    (planner: EditPlanner) => planner.planWithin(false),
    ...margins.map((margin) => (planner: EditPlanner) => planner.planReplacements(margin))
  ]) {
    const planner = new EditPlanner(source, document)
    if (!plan(planner) || !planDefinitions(source, document, planner)) continue
    const updated = planner.edits.applyTo(markdown)
    // Markdown that is not parsed has no other meaning than its text. Blocks are replaced as a whole, as no parse can confirm
    // edits of their text.
    if (isTooExpensiveToParse(wellFormed(updated))) {
      if (plan !== planWithinText) return updated
      continue
    }
    if (expectation(fromMarkdown(updated), planner.hunksOf(current.nodes, document.nodes))) return updated
  }
  return toMarkdown(document)
}

/** The maximum number of changed sections that are normalized separately. */
const maximumSections = 20

/**
 * Returns whether a document that was parsed from Markdown has the meaning of `document`. Clients can send nodes that no
 * Markdown is parsed to, such as empty paragraphs. For such nodes, the document is compared with the parsed
 * Markdown of the node, or of the whole document.
 */
const makeExpectation = (document: JsonDocument, identity: NodeIdentity) => {
  let normalized: JsonDocument | undefined
  return (result: JsonDocument, hunks: ReturnType<EditPlanner["hunksOf"]>): boolean => {
    if (identity.areEqualDocuments(result, document)) return true
    normalized ??= fromMarkdown(toMarkdown(document))
    if (identity.areEqualDocuments(result, normalized)) return true
    if (hunks.length > maximumSections) return false
    let at = 0
    const nodes = hunks.flatMap(({ after }) => {
      const unchanged = document.nodes.slice(at, after.start)
      at = after.end
      const changed = document.nodes.slice(after.start, after.end)
      return [...unchanged, ...fromMarkdown(toMarkdown({ ...document, nodes: changed })).nodes]
    })
    return identity.areEqualDocuments(result, {
      ...normalized,
      nodes: [...nodes, ...document.nodes.slice(at)]
    })
  }
}
