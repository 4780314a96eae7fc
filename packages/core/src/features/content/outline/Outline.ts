/** Extracts the outline of Markdown for search and link reports: its sections with their text, and its references. */
import { fromMarkdown } from "../document/fromMarkdown.ts"
import { OutlineBuilder } from "./OutlineBuilder.ts"
import type { Reference } from "./Reference.ts"

/** A heading with the text up to the next heading. Text before the first heading is a section without a title. */
export interface Section {
  readonly title: string
  /** The id of the heading, which is the fragment of URLs. Empty for the section before the first heading. */
  readonly anchor: string
  /** Plain text with a line per block. */
  readonly text: string
}

/** The sections, references and anchors of Markdown, in order. */
export interface Outline {
  readonly sections: ReadonlyArray<Section>
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
  const sections = builder.sections
    .map(({ title, anchor, lines }) => ({ title, anchor, text: lines.join("\n") }))
    .filter(({ anchor, title, text }) => anchor !== "" || title !== "" || text !== "")
  const ids = sections.flatMap(({ anchor }) => (anchor === "" ? [] : [anchor]))
  return { sections, references: builder.references, anchors: [...new Set([...ids, ...builder.anchors])] }
}
