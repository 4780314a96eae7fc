/** Resolves refs: names by which the Markdown of a batch links to items that the same batch adds. */
import { rewriteLinks } from "@lectern/markdown/document"

/** The URLs of the refs of a batch: `/pages/{id}`, `/files/{id}` or `/reusable-contents/{id}`. */
export type References = ReadonlyMap<string, string>

/** Matches `ref`, `./ref`, `ref.md` and `/ref`, with an optional fragment. */
const refPattern = /^\.?\/?([\w.-]+?)(?:\.md)?(#[^\s]*)?$/

/** Replaces the destinations of links and images that are refs of the batch. Everything else is unchanged. */
export const resolveReferences = (markdown: string, references: References): string => {
  if (references.size === 0) return markdown
  return rewriteLinks(markdown, ({ url }) => {
    const found = refPattern.exec(url)
    const target = found === null ? undefined : references.get(found[1]!)
    return target === undefined ? undefined : target + (found![2] ?? "")
  })
}
