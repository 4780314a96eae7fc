/** Places of a person: their favorites, and the pages that they opened last. */
import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { Emoji, SpaceId } from "../spaces/Space.ts"

/** Why a person has a place: they have marked it as a favorite, or opened it. */
export const PlaceKind = Schema.Literals(["favorite", "recent"])

/** Why a person has a place. */
export type PlaceKind = typeof PlaceKind.Type

/** The maximum number of favorites of a person in an organization. */
export const maximumFavorites = 100

/** The maximum number of recent pages of a person in an organization. */
export const maximumRecentPages = 30

/** A space or a page that the caller has marked or opened. */
export class Place extends resource<Place>()(
  Schema.Struct({
    /** The type of the resource: always `place`. */
    object: Schema.Literal("place"),
    /** Whether the caller has marked the place, or opened it. */
    kind: PlaceKind,
    /** The space. */
    space: SpaceId,
    /** The title of the space. */
    spaceTitle: Schema.String,
    /** The emoji of the space. */
    emoji: Emoji,
    /** The page. Absent if the place is the space itself. */
    page: Schema.optionalKey(PageId),
    /** The title of the page. Absent if the place is the space itself. */
    title: Schema.optionalKey(Schema.String),
    /** The path of the page in the space. Absent if the place is the space itself. */
    path: Schema.optionalKey(Schema.String),
    /** When the place was marked or last opened. */
    at: Timestamp
  }).annotate({
    identifier: "Place",
    description: "A space or a page that the caller has marked as a favorite, or opened."
  })
) {}

/** The places to list. */
export class ListPlaces extends resource<ListPlaces>()(
  Schema.Struct({
    /** Which places to list: `favorite` or `recent`. */
    kind: PlaceKind
  })
) {}

/** The places of the caller. */
export class PlaceList extends resource<PlaceList>()(
  Schema.Struct({
    /** The places, the last one that was marked or opened first. At most 100 favorites, or 30 recent pages. */
    items: Schema.Array(Place)
  }).annotate({ identifier: "PlaceList" })
) {}

/** Whether a space or a page of it is a favorite. */
export class PutFavorite extends resource<PutFavorite>()(
  Schema.Struct({
    /** The page. The space itself by default. */
    page: Schema.optionalKey(PageId),
    /** Whether it is a favorite. */
    favorite: Schema.Boolean
  }).annotate({ identifier: "PutFavorite" })
) {}

/** The page that the caller has opened. */
export class RecordRecentPage extends resource<RecordRecentPage>()(
  Schema.Struct({
    /** The page. */
    page: PageId
  }).annotate({ identifier: "RecordRecentPage" })
) {}
