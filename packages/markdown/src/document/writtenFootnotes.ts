/** The footnotes that annotations are written as. */

import type { Definition } from "@lectern/model/document"
import type { FootnoteDefinition, Paragraph } from "mdast"
import { labelKey } from "./linkReferences.ts"

/** The definitions of links by the key of their label, which also collects the footnotes of annotations. */
export class FootnoteWriter extends Map<string, Definition> {
  /** The footnotes of the annotations that have been added. */
  readonly footnotes: Array<FootnoteDefinition> = []
  /** Whether tables are written as HTML that could be written with pipes. */
  writesHtmlTables = false
  private readonly labels: Set<string>
  private next = 1

  constructor(labels: Iterable<string>) {
    super()
    this.labels = new Set([...labels].map(labelKey))
  }

  /** Adds a footnote, and returns its label: a number if `label` is undefined or in use. */
  add(label: string | undefined, toParagraphs: () => Array<Paragraph>): string {
    let unique = label
    while (unique === undefined || this.labels.has(labelKey(unique))) unique = String(this.next++)
    this.labels.add(labelKey(unique))
    const footnote: FootnoteDefinition = {
      type: "footnoteDefinition",
      identifier: unique.toLowerCase(),
      label: unique,
      children: []
    }
    this.footnotes.push(footnote)
    footnote.children = toParagraphs()
    return unique
  }
}
