/** Applies the pins and the boosts of a site to the results of a search. */

import { wordsOf } from "@lectern/markdown/text"
import type { SearchSettings } from "@lectern/model/sites"

/** A page of a space. */
export interface PinnedPage {
  readonly space: string
  readonly page: string
}

const comparable = (query: string): string => wordsOf(query).join(" ")

/** Returns the pages that are pinned to a query, in the order of their first pins. */
export const pinnedPages = (query: string, { pins = [] }: SearchSettings): ReadonlyArray<PinnedPage> => {
  const words = comparable(query)
  if (words === "") return []
  const found = pins.filter(({ queries }) => queries.some((one) => comparable(one) === words))
  return [...new Map(found.map((pin) => [`${pin.space}/${pin.page}`, pin])).values()]
}

/** Returns the weight of a page: its own boost, or that of its space, or 1. The last boost of a page applies. */
export const weightOf = ({ boosts = [] }: SearchSettings, space: string, page: string): number => {
  const ofSpace = boosts.filter((boost) => boost.space === space)
  const found =
    ofSpace.findLast((boost) => boost.page === page) ?? ofSpace.findLast((boost) => boost.page === undefined)
  return found?.weight ?? 1
}
