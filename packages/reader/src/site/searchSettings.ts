/** The settings of the search of a site, with the URLs of pages, for a search without a server. */
import { firstDocument, type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"

/** The settings of the search. Paths are encoded, and below the root of the site. */
export interface SiteSearchSettings {
  /** Groups of words or phrases that mean the same. */
  readonly synonyms: ReadonlyArray<ReadonlyArray<string>>
  /** Pages that are the first results of queries. */
  readonly pins: ReadonlyArray<{ readonly queries: ReadonlyArray<string>; readonly path: string }>
  /** The weights of pages whose weight is not 1, by their paths. */
  readonly weights: Readonly<Record<string, number>>
}

/** Returns the settings of the search, with the pages that the reader of the site can see. */
export const searchSettingsOf = (
  { customization: { search } }: ReadableSite,
  spaces: ReadonlyArray<LoadedSpace>
): SiteSearchSettings => {
  const byId = new Map(spaces.map((space) => [space.id as string, space]))
  /** Returns the path of the document of a page; undefined if the reader cannot see it. */
  const pathOf = (spaceId: string, id: string): string | undefined => {
    const space = byId.get(spaceId)
    const page = space?.index.byId.get(id)?.page
    const document = page === undefined ? undefined : firstDocument(page)
    return space === undefined || document === undefined ? undefined : pathOfPage(space, document)
  }
  const weights: Record<string, number> = {}
  const boosts = search?.boosts ?? []
  // The weight of a page precedes that of its space.
  for (const { space, page, weight } of boosts) {
    const pages = page === undefined ? (byId.get(space)?.index.byId.values() ?? []) : []
    for (const { page: one } of pages) {
      if (one.type === "document") weights[pathOfPage(byId.get(space)!, one)] = weight
    }
  }
  for (const { space, page, weight } of boosts) {
    const path = page === undefined ? undefined : pathOf(space, page)
    if (path !== undefined) weights[path] = weight
  }
  return {
    synonyms: search?.synonyms ?? [],
    pins: (search?.pins ?? []).flatMap(({ queries, space, page }) => {
      const path = pathOf(space, page)
      return path === undefined ? [] : [{ queries, path }]
    }),
    weights
  }
}
