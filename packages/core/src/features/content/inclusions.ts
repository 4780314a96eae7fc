/** Expands the reusable contents that Markdown includes. */

import { reusableContentFinder, type Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { includedContent, quotedIn, tagIn } from "@lectern/markdown/document"
import type { ReusableContentId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "./ContentStore.ts"

/** The maximum nesting of inclusions. Deeper ones are not expanded. */
const maximumInclusionDepth = 5

/** The maximum number of included characters per page. Inclusions beyond it are not expanded. */
const maximumLength = 1_000_000

/** Matches a line that is a tag, with the markers of the containers that it is in. */
const tagLine = /^((?:[ \t]|>)*)(\{%.*%\})[ \t]*$/

/** Matches the line that opens or closes a code block. */
const fenceLine = /^(?:[ \t]|>)*(`{3,}|~{3,})/

/** Text of Markdown as it is written, or an inclusion. */
type Part = string | { readonly line: string; readonly prefix: string; readonly reference: string }

/** Splits Markdown at its inclusions, except for lines of code blocks. */
const partsOf = (markdown: string): ReadonlyArray<Part> => {
  if (!markdown.includes("include")) return [markdown]
  const parts: Array<Part> = []
  let fence: string | undefined
  for (const line of markdown.split("\n")) {
    const marker = fenceLine.exec(line)?.[1]
    if (marker !== undefined && fence === undefined) fence = marker
    else if (marker?.startsWith(fence ?? " ") === true) fence = undefined
    const [, prefix, source] = (fence === undefined ? tagLine.exec(line) : null) ?? []
    const tag = source === undefined ? undefined : tagIn(source)
    const path = tag?.name === "include" ? quotedIn(tag.rest) : undefined
    const reference = path === undefined ? undefined : includedContent(path)
    parts.push(reference === undefined ? line : { line, prefix: prefix!, reference })
  }
  return parts
}

/** Adds the markers of the containers of an inclusion to the lines of its body. */
const nestedIn = (prefix: string, body: string): string => {
  if (prefix === "") return body
  const empty = prefix.trimEnd()
  return body.replace(/\n+$/, "").replace(/^.*$/gm, (line) => (line === "" ? empty : prefix + line))
}

/**
 * Returns the Markdown with its inclusions expanded. Inclusions that are missing, nested too deep or too long, and
 * inclusions of a reusable content in itself, stay as written. `transform` is applied to the page and to each included
 * body before they are combined.
 */
export const withInclusions = (
  content: ContentStore["Service"],
  tree: Tree,
  markdown: string,
  transform: (body: string) => string = (body) => body
): Effect.Effect<string, StorageUnavailable> => {
  let left = maximumLength
  const find = reusableContentFinder(tree)
  const expand = Effect.fnUntraced(function* (
    text: string,
    containing: ReadonlyArray<ReusableContentId>
  ): Effect.fn.Return<string, StorageUnavailable> {
    const parts = partsOf(text)
    if (containing.length >= maximumInclusionDepth || parts.every((part) => typeof part === "string")) {
      return text
    }
    const lines: Array<string> = []
    for (const part of parts) {
      if (typeof part === "string") {
        lines.push(part)
        continue
      }
      const found = left <= 0 ? undefined : yield* find(part.reference)
      if (found === undefined || containing.includes(found.id)) {
        lines.push(part.line)
        continue
      }
      const own = found.body === undefined ? "" : transform(yield* content.texts.get(found.body))
      const body: string = nestedIn(part.prefix, yield* expand(own, [...containing, found.id]))
      left -= body.length
      lines.push(left >= 0 ? body : part.line)
    }
    return lines.join("\n")
  })
  return Effect.suspend(() => expand(transform(markdown), []))
}
