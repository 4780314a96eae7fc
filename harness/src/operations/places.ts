/** The operations on the favorites and recent pages of a user. */
import type { PlacesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const places = {
  listPlaces: { serves: "Places.list", rule: "organization.list", query: "kind=favorite" },
  putFavorite: {
    serves: "Places.putFavorite",
    rule: "space.read",
    body: () => ({ favorite: true }),
    full: ({ ids }) => ({ body: { page: ids.pageId, favorite: true } })
  },
  recordRecentPage: {
    serves: "Places.recordRecentPage",
    rule: "space.read",
    body: ({ ids }) => ({ page: ids.pageId })
  }
} satisfies RowsOf<typeof PlacesApi>
