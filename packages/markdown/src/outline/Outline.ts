/** Extracts the outline of Markdown for search and link reports: its sections with their text, and its references. */
import { countConditions } from "../conditions/conditionalContent.ts"
import { fromMarkdown } from "../document/fromMarkdown.ts"
import { OutlineBuilder } from "./OutlineBuilder.ts"
import type { Reference } from "./Reference.ts"

/**
 * A heading with the text up to the next heading. Text before the first heading is a section without a title. Code and
 * conditional content are sections of their own, with the heading that they are under.
 */
export interface Section {
  /** The text of the heading; empty for the text before the first one. */
  readonly title: string
  /** The id of the heading, which is the fragment of URLs. Empty for the section before the first heading. */
  readonly anchor: string
  /** Plain text with a line per block. */
  readonly text: string
  /** Whether the text is code. Absent for other text. */
  readonly isCode?: true
  /** The conditions of the blocks that contain the text, from the outermost. Absent for text that all visitors see. */
  readonly conditions?: ReadonlyArray<string>
}

/** The condition of text that no visitor sees, because its conditions are malformed. */
export const neverCondition = "false"

/** The sections, references and anchors of Markdown, in order. */
export interface Outline {
  /** The sections, in order. */
  readonly sections: ReadonlyArray<Section>
  /** The references to other content, in order. */
  readonly references: ReadonlyArray<Reference>
  /** The ids that links can refer to: of headings, and of elements of HTML. */
  readonly anchors: ReadonlyArray<string>
}

/** The outline of Markdown that is not parsed: one section with the whole text, without references. */
export const verbatimOutline = (text: string): Outline => ({
  sections: [{ title: "", anchor: "", text }],
  references: [],
  anchors: []
})

/** Extracts the outline of Markdown. It never fails. */
export const outlineOf = (markdown: string): Outline => {
  const { nodes, data } = fromMarkdown(markdown)
  const builder = new OutlineBuilder()
  builder.addBlocks(nodes)
  for (const footnote of data.footnotes ?? []) builder.addBlocks(footnote.nodes)
  // A condition that is not closed is not a block, but visitors see nothing after it.
  const areConditionsWellFormed = builder.conditionCount === countConditions(markdown)
  const sections = builder.sections
    .map(({ title, anchor, lines, isCode, conditions }): Section => {
      const ownConditions = areConditionsWellFormed ? conditions : [neverCondition]
      return {
        title,
        anchor,
        text: lines.join("\n"),
        ...(isCode ? { isCode } : {}),
        ...(ownConditions.length > 0 ? { conditions: ownConditions } : {})
      }
    })
    .filter(({ anchor, title, text }) => anchor !== "" || title !== "" || text !== "")
  const ids = sections.flatMap(({ anchor }) => (anchor === "" ? [] : [anchor]))
  return { sections, references: builder.references, anchors: [...new Set([...ids, ...builder.anchors])] }
}
