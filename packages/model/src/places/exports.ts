/** The public names of places in `@lectern/model`. */
export { ListPlaces, Place, PlaceKind, PlaceList, PutFavorite, RecordRecentPage } from "./Place.ts"
