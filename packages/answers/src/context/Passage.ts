/** Pages that a model reads as the context of a question: only pages that the caller of the question can read. */

/** A page that the caller can read, with its Markdown as they see it. */
export interface ReadablePage {
  /** The space of the page. */
  readonly space: string
  /** The revision that the page was read from. */
  readonly revision: string
  /** The id of the page. */
  readonly page: string
  readonly title: string
  /** The path of the page in its space. */
  readonly path: string
  readonly markdown: string
}

/** A section of a page. */
export interface Passage {
  /** The heading; empty for the text before the first one. */
  readonly heading: string
  /** The fragment of the URL of the section; empty for the text before the first heading. */
  readonly anchor: string
  readonly text: string
}

/** A page of the context. Answers cite it by its number. */
export interface Source extends Omit<ReadablePage, "markdown"> {
  /** The number by which the model cites the page, from 1. */
  readonly number: number
  readonly passages: ReadonlyArray<Passage>
}
