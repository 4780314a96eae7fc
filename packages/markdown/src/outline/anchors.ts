/** Anchors of headings: the forms that other programs derive, and the anchor that a fragment of a URL refers to. */
import { unescaped } from "@lectern/model/schema"
import { withSymbolWords } from "../text/symbolWords.ts"

/** Returns the anchor of a page that a fragment refers to; undefined if it does not exist. */
export type FindAnchor = (fragment: string) => string | undefined

/**
 * Returns the letters and digits of an anchor, without the words that can represent symbols: `and` and `or` between words, and
 * `less-than` and `greater-than`. Programs derive ids of
 * headings differently: that of "1. Azure AD" is `1-azure-ad` by GitHub's rule, and `id-1.-azure-a-d` by GitBook's.
 */
const essenceOf = (anchor: string): string =>
  anchor
    .replace(/^id-(?=\d)/, "")
    .toLowerCase()
    .replaceAll(/[-_.](?:and|or)(?=[-_.])|(?<![^-_.])(?:less|greater)-than(?![^-_.])/g, "")
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

const joined = (text: string, gap: RegExp): string =>
  text
    .toLowerCase()
    .replaceAll(gap, "-")
    .replaceAll(/^-+|-+$/g, "")

const beforeDigit = /^(?=\d)/

/** Returns the anchor of an expandable block with a title. Empty if the title has no letters and digits. */
export const expandableAnchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80)

/**
 * Returns the anchors that versions of GitBook derive from the text of a heading, the current one first: with dots, with every
 * capital of an acronym as a word, and with hyphens for dots. An anchor that starts with a digit has the prefix `id-`, and lacked
 * it before.
 */
export const gitBookAnchorsOf = (text: string): ReadonlyArray<string> => {
  const plain = withSymbolWords(text.replaceAll(/['"`‘’“”]|\u{fe0f}/gu, ""))
  const withoutAcronyms = plain.replaceAll(/(?<=\p{Lu})(?=\p{Lu})/gu, " ")
  const dotted = /[^\p{L}\p{M}\p{N}._]+/gu
  const hyphenated = joined(plain, /[^\p{L}\p{M}\p{N}_]+/gu)
  const forms = [
    joined(plain, dotted).replace(beforeDigit, "id-"),
    joined(withoutAcronyms, dotted).replace(beforeDigit, "id-"),
    hyphenated.replace(beforeDigit, "id-"),
    hyphenated
  ]
  return [...new Set(forms)].filter((form) => form !== "")
}
