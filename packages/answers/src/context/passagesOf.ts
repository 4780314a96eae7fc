/** Divides the Markdown of a page into passages at its headings. */
import GithubSlugger from "github-slugger"
import type { Passage } from "./Passage.ts"

/** The maximum length of a passage, in characters. A longer section is divided at its lines. */
export const maximumPassageLength = 1_600

/** The maximum length of a page that is read, in characters. */
const maximumPageLength = 200_000

/** The maximum length of a heading that is read, in characters. */
const maximumHeadingLength = 1_000

const fencePattern = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const headingPattern = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/

/** Removes the markup of a heading, as far as its text and its anchor depend on it. */
const plainHeading = (heading: string): string =>
  heading
    .slice(0, maximumHeadingLength)
    .replace(/<a [^>]*>.*?<\/a>/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_~]/g, "")
    .trim()

const anchorPattern = /<a [^>]*\bid="([^"]+)"/

interface Section {
  readonly heading: string
  readonly anchor: string
  readonly lines: Array<string>
}

/** Divides lines so that no part is longer than a passage, unless a single line is. Such a line is truncated. */
const partsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (const line of lines) {
    const text = line.slice(0, maximumPassageLength)
    if (part !== "" && part.length + text.length + 1 > maximumPassageLength) {
      parts.push(part)
      part = ""
    }
    part = part === "" ? text : `${part}\n${text}`
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== "")
}

/** Returns the passages of a page in their order. Headings in fenced code are not headings. */
export const passagesOf = (markdown: string): ReadonlyArray<Passage> => {
  const slugger = new GithubSlugger()
  const sections: Array<Section> = [{ heading: "", anchor: "", lines: [] }]
  let fence: string | undefined
  for (const line of markdown.slice(0, maximumPageLength).split(/\r?\n/)) {
    const [, mark, info = ""] = fencePattern.exec(line) ?? []
    if (mark !== undefined && fence === undefined) fence = mark
    // A line with the name of a language does not end code.
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && info.trim() === "")
      fence = undefined
    const given = fence === undefined && mark === undefined ? headingPattern.exec(line)?.[1] : undefined
    if (given === undefined) {
      sections.at(-1)!.lines.push(line)
      continue
    }
    const heading = plainHeading(given)
    sections.push({ heading, anchor: anchorPattern.exec(given)?.[1] ?? slugger.slug(heading), lines: [] })
  }
  return sections.flatMap(({ heading, anchor, lines }) =>
    partsOf(lines).map((text) => ({ heading, anchor, text }))
  )
}
