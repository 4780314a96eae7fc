/** The pages that were opened last on this device. */
import { createStore, readStored, writeStored } from "../store/store.ts"

/** A page that was opened. */
export interface RecentPlace {
  /** The path below the base path. */
  readonly path: string
  readonly title: string
  /** The title of the space. */
  readonly space: string
  readonly openedAt: string
}

const maximumPlaces = 30

const isPlace = (value: unknown): value is RecentPlace =>
  typeof value === "object" &&
  value !== null &&
  ["path", "title", "space", "openedAt"].every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string"
  )

const readPlaces = (): ReadonlyArray<RecentPlace> => {
  const stored = readStored("recent")
  return Array.isArray(stored) ? stored.filter(isPlace) : []
}

/** The pages that were opened last, newest first. */
export const recentPlaces = createStore<ReadonlyArray<RecentPlace>>(readPlaces())

/** Adds a page to the places that were opened last. */
export const addRecentPlace = (place: Omit<RecentPlace, "openedAt">): void => {
  const opened = { ...place, openedAt: new Date().toISOString() }
  const places = [opened, ...recentPlaces.get().filter(({ path }) => path !== place.path)].slice(
    0,
    maximumPlaces
  )
  recentPlaces.set(places)
  writeStored("recent", places)
}
