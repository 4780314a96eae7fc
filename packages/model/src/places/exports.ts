export { ListPlaces, Place, PlaceKind, PlaceList, PutFavorite, RecordRecentPage } from "./Place.ts"
