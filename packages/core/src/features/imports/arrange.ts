/**
 * The tree of what was gathered: as the navigation of the source has it, where that knows at least half of the pages,
 * and else as their paths say.
 */

import { bounds } from "../../model/imports/Import.ts"
import type { Entry } from "../conversion/Readings.ts"
import type { Gathered, GatheredPage } from "./Gathered.ts"

/** A page to be, or what only holds pages. Parents come before those that are under them. */
export interface Arranged {
  readonly resource: string
  /** The resource that it is under; undefined at the root. */
  readonly parent: string | undefined
  readonly title: string
  /** What it would be called in a path; undefined where its title says that. */
  readonly name: string | undefined
  readonly isGroup: boolean
  /** Undefined of what only holds pages. */
  readonly page: GatheredPage | undefined
}

const titled = (text: string): string => {
  const clean = Array.from(
    text
      .replaceAll(/[\s\0]+/g, " ")
      .toWellFormed()
      .trim()
  )
  return clean.length > 256 ? `${clean.slice(0, 255).join("")}…` : clean.join("")
}

const titleOf = ({ page, fallback }: GatheredPage): string =>
  titled(page.title ?? "") || titled(fallback) || "Untitled"

/** A name as a title: `getting-started` is "Getting started". */
const humanized = (name: string): string => {
  const words = titled(name.replaceAll(/[-_]+/g, " "))
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1)
}

const pageAt = (page: GatheredPage, parent: string | undefined): Arranged => ({
  resource: page.resource,
  parent,
  title: titleOf(page),
  name: page.segments.at(-1),
  isGroup: false,
  page
})

interface Folder {
  page: GatheredPage | undefined
  readonly inner: Map<string, Folder>
}

/** As the paths say. A folder that has no page of its own is a group at the root, and an empty page below it. */
const byPath = (pages: ReadonlyArray<GatheredPage>): ReadonlyArray<Arranged> => {
  const root: Folder = { page: undefined, inner: new Map() }
  const more: Array<GatheredPage> = []
  for (const page of pages) {
    let folder = root
    for (const segment of page.segments.slice(0, bounds.depth)) {
      let next = folder.inner.get(segment)
      if (next === undefined) {
        next = { page: undefined, inner: new Map() }
        folder.inner.set(segment, next)
      }
      folder = next
    }
    // Two pages of one place, or one that is too deep: they stand where the other does.
    if (folder.page === undefined) folder.page = page
    else more.push(page)
  }
  const arranged: Array<Arranged> = root.page === undefined ? [] : [pageAt(root.page, undefined)]
  const visit = (folder: Folder, way: ReadonlyArray<string>, parent: string | undefined): void => {
    for (const [name, inner] of folder.inner) {
      const path = [...way, name]
      const resource = inner.page?.resource ?? `${path.join("/")}/`
      arranged.push(
        inner.page === undefined
          ? { resource, parent, title: humanized(name), name, isGroup: parent === undefined, page: undefined }
          : pageAt(inner.page, parent)
      )
      visit(inner, path, resource)
    }
  }
  visit(root, [], undefined)
  const places = new Map(arranged.map((one) => [one.page, one.parent]))
  for (const page of more) {
    const beside = pages.find(
      (other) =>
        other !== page &&
        other.segments.slice(0, bounds.depth).join("/") === page.segments.slice(0, bounds.depth).join("/")
    )
    arranged.push(pageAt(page, places.get(beside)))
  }
  return arranged
}

const resourcesIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ url, entries: inner }) => [...(url === undefined ? [] : [url]), ...resourcesIn(inner)])

/** As the navigation has it; pages that it does not have are under those that their paths are under. */
const byNavigation = (
  pages: ReadonlyArray<GatheredPage>,
  navigation: ReadonlyArray<Entry>
): ReadonlyArray<Arranged> => {
  const known = new Map(pages.map((page) => [page.resource, page]))
  const placed = new Set<string>()
  const arranged: Array<Arranged> = []
  const has = ({ url, entries }: Entry): boolean =>
    (url !== undefined && known.has(url) && !placed.has(url)) || entries.some(has)

  const visit = (entries: ReadonlyArray<Entry>, parent: string | undefined, depth: number): void => {
    for (const entry of entries) {
      const { url, title, entries: inner } = entry
      const page = url === undefined || placed.has(url) ? undefined : known.get(url)
      let under = parent
      if (page !== undefined) {
        placed.add(page.resource)
        arranged.push(pageAt(page, parent))
        under = page.resource
      } else if (parent === undefined && title !== "" && inner.some(has)) {
        under = `#${titled(title)}`
        if (!placed.has(under)) {
          placed.add(under)
          const name = undefined
          arranged.push({
            resource: under,
            parent,
            title: titled(title) || "Untitled",
            name,
            isGroup: true,
            page
          })
        }
      }
      visit(inner, depth < bounds.depth ? under : parent, depth + 1)
    }
  }
  visit(navigation, undefined, 1)

  const byPlace = new Map(
    arranged.flatMap(({ page }) => (page === undefined ? [] : [[page.segments.join("/"), page]]))
  )
  const rest = pages.filter(({ resource }) => !placed.has(resource))
  for (const page of rest.toSorted((a, b) => a.segments.length - b.segments.length)) {
    let parent: string | undefined
    for (
      let length = Math.min(page.segments.length - 1, bounds.depth);
      length > 0 && parent === undefined;
      length--
    ) {
      parent = byPlace.get(page.segments.slice(0, length).join("/"))?.resource
    }
    arranged.push(pageAt(page, parent))
    byPlace.set(page.segments.join("/"), page)
  }
  return arranged
}

/** The tree, in the order in which it is written. */
export const arrange = ({ pages, navigation }: Gathered): ReadonlyArray<Arranged> => {
  const known = new Set(pages.map(({ resource }) => resource))
  const found = new Set(resourcesIn(navigation).filter((resource) => known.has(resource)))
  return found.size >= 2 && found.size * 2 >= pages.length ? byNavigation(pages, navigation) : byPath(pages)
}
