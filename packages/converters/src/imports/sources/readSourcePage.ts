/** Converts a page of another documentation tool, by its tool and its format. */
import { type Readings, readSourceMarkdown } from "@lectern/formats/threads"
import { readConfluenceHtml } from "./confluenceHtml.ts"
import { readConfluenceStorage } from "./confluenceStorage.ts"
import { readNotionHtml } from "./notionHtml.ts"

/** Converts a page. Throws `NotReadable` if it cannot be parsed. */
export const readSourcePage = (input: Readings["sourcePage"]["in"]): Readings["sourcePage"]["out"] => {
  const isHtml = /\.html?$/i.test(input.path)
  if (input.source === "confluence") return isHtml ? readConfluenceHtml(input) : readConfluenceStorage(input)
  return isHtml ? readNotionHtml(input) : readSourceMarkdown(input.source, input)
}
