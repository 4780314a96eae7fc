/** Finds the anchors of a page that links refer to. */
import { unescaped } from "@lectern/model/schema"

/** Returns the anchor of a page that a fragment refers to; undefined if it does not exist. */
export type FindAnchor = (fragment: string) => string | undefined

/**
 * Returns the letters and digits of an anchor. Programs derive ids of headings differently: that of "1. Azure AD" is
 * `1-azure-ad` by GitHub's rule, and `id-1.-azure-a-d` by GitBook's.
 */
const essenceOf = (anchor: string): string =>
  anchor
    .replace(/^id-(?=\d)/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Returns the function that finds anchors: equal ones, or else the first with the same letters and digits. */
export const anchorFinder = (anchors: Iterable<string>): FindAnchor => {
  const exact = new Set(anchors)
  let similar: Map<string, string> | undefined
  return (fragment) => {
    const decoded = unescaped(fragment)
    const found = [fragment, decoded].find((candidate) => exact.has(candidate))
    const essence = found === undefined ? essenceOf(decoded) : ""
    if (found !== undefined || essence === "") return found
    similar ??= new Map([...exact].reverse().map((anchor) => [essenceOf(anchor), anchor]))
    return similar.get(essence)
  }
}
