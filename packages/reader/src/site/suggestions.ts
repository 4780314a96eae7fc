/** Suggests pages for a path that no page has. */
import { iconOfPage } from "../html/icons.ts"
import type { LinkItem } from "../page/PageModel.ts"
import { type LoadedSpace, pageUrl } from "./ReadableSite.ts"

/** The number of suggested pages. */
const maximumSuggestions = 5

/** The number of pages that are compared. */
const maximumCompared = 5_000

/** The maximum length of a path that is compared, in characters. */
const maximumLength = 200

const wordsOf = (path: string): ReadonlyArray<string> => path.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const pairsOf = (text: string): ReadonlySet<string> => {
  const pairs = new Set<string>()
  for (const word of wordsOf(text)) {
    const padded = ` ${word} `
    for (let at = 0; at < padded.length - 1; at++) pairs.add(padded.slice(at, at + 2))
  }
  return pairs
}

/** Returns the similarity of two sets of pairs of characters, from 0 to 1. */
const similarity = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let common = 0
  for (const pair of one) if (other.has(pair)) common++
  return (2 * common) / (one.size + other.size || 1)
}

/** Returns the visible pages whose paths or titles are most similar to a path, from the page at `from`. */
export const suggestPages = (space: LoadedSpace, path: string, from: string): ReadonlyArray<LinkItem> => {
  const wanted = path.slice(0, maximumLength)
  const last = pairsOf(wanted.split("/").at(-1) ?? "")
  const whole = pairsOf(wanted)
  return space.index.reading
    .slice(0, maximumCompared)
    .map((page) => ({
      page,
      score: Math.max(
        similarity(last, pairsOf(page.slug)),
        similarity(last, pairsOf(page.title)),
        similarity(whole, pairsOf(page.path))
      )
    }))
    .filter(({ score }) => score > 0.35)
    .sort((one, other) => other.score - one.score)
    .slice(0, maximumSuggestions)
    .map(({ page }) => ({ title: page.title, href: pageUrl(from, space, page), icon: iconOfPage(page) }))
}
