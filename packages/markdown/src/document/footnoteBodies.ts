/** The footnotes that become the bodies of annotations. */

import type { Definition } from "@lectern/model/document"
import type { FootnoteDefinition, Paragraph } from "mdast"
import { labelKey } from "./linkReferences.ts"

/** The body of an annotation. */
export interface FootnoteBody {
  readonly children: ReadonlyArray<Paragraph>
}

/**
 * The definitions of links by the key of their label, with the footnotes that can become annotations. A footnote can
 * become one annotation if it consists of paragraphs and is referenced at most once.
 */
export class FootnoteBodies extends Map<string, Definition> {
  private readonly definitions = new Map<string, FootnoteDefinition>()
  private readonly references = new Map<string, number>()
  private readonly taken = new Set<FootnoteDefinition>()

  /** Adds the definition of a footnote. The first definition of a label has precedence. */
  addFootnote(definition: FootnoteDefinition): void {
    const key = labelKey(definition.identifier)
    if (!this.definitions.has(key)) this.definitions.set(key, definition)
  }

  /** Counts a reference to a footnote. */
  addReference(identifier: string): void {
    const key = labelKey(identifier)
    this.references.set(key, (this.references.get(key) ?? 0) + 1)
  }

  /** Returns the body of a footnote for its annotation, once. */
  take(label: string): FootnoteBody | undefined {
    const key = labelKey(label)
    const definition = this.definitions.get(key)
    if (definition === undefined || (this.references.get(key) ?? 0) > 1 || this.taken.has(definition)) {
      return undefined
    }
    const { children } = definition
    if (children.length === 0 || !children.every((child) => child.type === "paragraph")) return undefined
    this.taken.add(definition)
    return { children }
  }

  /** Whether a footnote became an annotation. */
  isTaken(definition: FootnoteDefinition): boolean {
    return this.taken.has(definition)
  }
}
