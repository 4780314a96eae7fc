/** The favorites of the person and the pages that they opened last, which the server stores. */
import type { Place } from "@lectern/client/fetch"
import { pagePath } from "../router/pagePaths.ts"
import { client } from "../session.ts"
import { placesStrings } from "../strings/places.ts"
import { translate } from "../strings/strings.ts"
import { invalidate, writeData } from "./cache.ts"
import { runChange } from "./change.ts"
import { useOrganization } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

type Kind = Place["kind"]

const keyOf = (organizationId: string, kind: Kind): string => `places/${organizationId}/${kind}`

/** The favorites, or the pages that were opened last, of the organization that is displayed. */
export const usePlaces = (kind: Kind): Resource<ReadonlyArray<Place>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(
    id === undefined ? undefined : keyOf(id, kind),
    async (signal) =>
      (await client.places.listPlaces({ params: { organizationId: id! }, query: { kind } }, { signal }))
        .items,
    { staleAfterMs: 10_000 }
  )
}

/** Returns the path of a place in the application. */
export const pathOfPlace = ({ space, page, path }: Pick<Place, "space" | "page" | "path">): string =>
  pagePath({ spaceId: space }, page === undefined ? undefined : { id: page, path })

/** Returns the title of a place. */
export const titleOfPlace = ({ title, spaceTitle }: Place): string => {
  const own = title ?? spaceTitle
  return own === "" ? translate(placesStrings, "untitled") : own
}

/** A space or a page that can be a favorite. */
export interface FavoriteTarget {
  readonly organizationId: string
  readonly spaceId: string
  readonly pageId?: string | undefined
  readonly title: string
}

/** Whether a space or a page is among the favorites. */
export const isFavorite = (
  favorites: ReadonlyArray<Place>,
  { spaceId, pageId }: Pick<FavoriteTarget, "spaceId" | "pageId">
): boolean => favorites.some(({ space, page }) => space === spaceId && page === pageId)

/** Adds a space or a page to the favorites, or removes it. */
export const setFavorite = (
  { organizationId, spaceId, pageId, title }: FavoriteTarget,
  favorite: boolean
) => {
  const key = keyOf(organizationId, "favorite")
  const page = pageId === undefined ? {} : { page: pageId }
  const send = (value: boolean) =>
    client.places.putFavorite({ params: { spaceId }, payload: { ...page, favorite: value } })
  return runChange({
    apply: () =>
      favorite
        ? []
        : [
            writeData<ReadonlyArray<Place>>(key, (places) =>
              places.filter((place) => place.space !== spaceId || place.page !== pageId)
            )
          ],
    send: () => send(favorite),
    message: translate(placesStrings, favorite ? "added" : "removed", { title }),
    failure: translate(placesStrings, "notChanged"),
    undo: () => send(!favorite),
    invalidates: [key]
  })
}

/** Records that a page was opened. A failure is silent, because no screen displays the result. */
export const recordRecentPage = (organizationId: string, spaceId: string, page: string): void => {
  client.places.recordRecentPage({ params: { spaceId }, payload: { page } }).then(
    () => invalidate(keyOf(organizationId, "recent")),
    () => undefined
  )
}
