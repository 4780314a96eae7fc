/** Links of a batch's texts to what the same batch adds: by a name that lives as long as the batch. */
import { rewriteLinks } from "../document/rewriteLinks.ts"

/** Where the names of a batch lead to, as links say it: `/pages/{id}`, `/files/{id}`. */
export type References = ReadonlyMap<string, string>

const destination = /^\.?\/?([\w.-]+?)(?:\.md)?(#[^\s]*)?$/

/** The text with its links and images that name something of the batch leading there. All else stays as it is. */
export const resolveReferences = (markdown: string, references: References): string => {
  if (references.size === 0) return markdown
  return rewriteLinks(markdown, ({ url }) => {
    const found = destination.exec(url)
    const target = found === null ? undefined : references.get(found[1]!)
    return target === undefined ? undefined : target + (found![2] ?? "")
  })
}
