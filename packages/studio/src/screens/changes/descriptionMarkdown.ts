/** The description of a change request as Markdown. */
import type { ChangeRequestDescription } from "@lectern/client/fetch"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"

/** Returns the Markdown of a description. */
export const markdownOfDescription = (description: ChangeRequestDescription | undefined): string =>
  description === undefined
    ? ""
    : toMarkdown(description as unknown as Parameters<typeof toMarkdown>[0]).trim()

/** Returns the description that Markdown describes; one without blocks for empty Markdown. */
export const descriptionOfMarkdown = (markdown: string): ChangeRequestDescription =>
  markdown.trim() === ""
    ? { object: "document", data: {}, nodes: [] }
    : (JSON.parse(JSON.stringify(fromMarkdown(markdown))) as ChangeRequestDescription)
