/** The model of sites: spaces in sections in groups, and the default of each list. */
import type { Item } from "./WorkspaceModel.ts"

/** A space on a site. */
export interface SiteSpace {
  readonly id: string
  readonly space: string
}
/** A section of a site. */
export interface Section {
  readonly id: string
  readonly siteSpaces: Array<SiteSpace>
  default: SiteSpace | undefined
}
/** A group of sections. */
export interface Group {
  /** The id of the group. */
  readonly group: string
  readonly sections: Array<Section>
}
/** A share link of a site. */
export interface ShareLink {
  readonly id: string
  readonly key: string
  name: string
  active: boolean
}

/** The visibilities of a site, from the most public to the least. */
export const visibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const
/** Who can read a published site. */
export type SiteVisibility = (typeof visibilities)[number]

/** The adaptive schemas that steps set. */
export type AdaptiveSchemaName = "none" | "plan" | "nested"

/** A site. Without sections, its spaces are in `root`; otherwise, `root` is empty. */
export interface Site {
  readonly id: string
  readonly organization: string
  title: string
  visibility: SiteVisibility
  published: boolean
  root: Array<SiteSpace>
  rootDefault: SiteSpace | undefined
  readonly topLevel: Array<Section | Group>
  default: Section | undefined
  readonly links: Array<ShareLink>
  /** The spaces of the site that are in the trash, by the ids of the spaces, with the ids of their sections. */
  readonly trashed: Map<string, { readonly siteSpace: SiteSpace; readonly section: string | undefined }>
  /** The name of its adaptive schema; undefined before one is set. */
  adaptiveSchema: AdaptiveSchemaName | undefined
}

/** Whether an entry of the top level is a group. */
export const isGroup = (one: Section | Group): one is Group => "group" in one
/** Returns the groups of a site, in order. */
export const groupsOf = ({ topLevel }: Site): ReadonlyArray<Group> => topLevel.filter(isGroup)

/** Returns the sections of a site, including the sections in groups, in order. */
export const sectionsOf = ({ topLevel }: Site): ReadonlyArray<Section> =>
  topLevel.flatMap((one) => (isGroup(one) ? one.sections : [one]))

/** Returns the spaces of a site, in order. */
export const siteSpacesOf = (site: Site): ReadonlyArray<SiteSpace> => [
  ...site.root,
  ...sectionsOf(site).flatMap(({ siteSpaces }) => siteSpaces)
]

/** Whether a site has no sections. It may have empty groups. */
export const isFlat = (site: Site): boolean =>
  sectionsOf(site).length === 0 && (site.topLevel.length === 0 || site.root.length > 0)

/** Returns the list that contains a section: that of its group, or the top level. */
export const siblingsOf = (site: Site, section: Section): Array<Section | Group> =>
  site.topLevel.find((one): one is Group => isGroup(one) && one.sections.includes(section))?.sections ??
  site.topLevel

/** Returns the section that contains a space; undefined at the root. */
export const sectionOf = (site: Site, siteSpace: SiteSpace): Section | undefined =>
  sectionsOf(site).find(({ siteSpaces }) => siteSpaces.includes(siteSpace))

/**
 * Removes an item from a list. Returns the default of the list: if it was the item, its successor or else its
 * predecessor.
 */
const removeFromList = <A>(list: Array<A>, one: A, currentDefault: A | undefined): A | undefined => {
  const index = list.indexOf(one)
  list.splice(index, 1)
  return currentDefault === one ? (list[index] ?? list[index - 1]) : currentDefault
}

/** Removes a space from a site. */
export const removeSiteSpace = (site: Site, siteSpace: SiteSpace): void => {
  const section = sectionOf(site, siteSpace)
  if (section === undefined) site.rootDefault = removeFromList(site.root, siteSpace, site.rootDefault)
  else section.default = removeFromList(section.siteSpaces, siteSpace, section.default)
}

/** Adds a space to a section, or to the root. It becomes the default of an empty list. */
export const addSiteSpace = (site: Site, siteSpace: SiteSpace, section: Section | undefined): void => {
  if (section === undefined) {
    site.root.push(siteSpace)
    site.rootDefault ??= siteSpace
  } else {
    section.siteSpaces.push(siteSpace)
    section.default ??= siteSpace
  }
}

/** Removes a section from a site. */
export const removeSection = (site: Site, section: Section): void => {
  site.default = removeFromList([...sectionsOf(site)], section, site.default)
  const list = siblingsOf(site, section)
  list.splice(list.indexOf(section), 1)
  for (const [space, place] of site.trashed) if (place.section === section.id) site.trashed.delete(space)
}

/** Moves the spaces at the root to a new section, which becomes the default. */
export const moveRootToSection = (site: Site, id: string): void => {
  const section: Section = { id, siteSpaces: site.root, default: site.rootDefault }
  site.root = []
  site.rootDefault = undefined
  site.topLevel.push(section)
  site.default = section
}

/** Removes spaces from all sites. */
export const removeFromSites = (sites: Iterable<Site>, spaceIds: ReadonlySet<string>): void => {
  for (const site of sites) {
    for (const space of spaceIds) site.trashed.delete(space)
    for (const siteSpace of siteSpacesOf(site))
      if (spaceIds.has(siteSpace.space)) removeSiteSpace(site, siteSpace)
  }
}

/** Hides a space that moves to the trash on all sites. */
export const hideOnSites = (sites: Iterable<Site>, space: string): void => {
  for (const site of sites) {
    const siteSpace = siteSpacesOf(site).find((one) => one.space === space)
    if (siteSpace === undefined) continue
    site.trashed.set(space, { siteSpace, section: sectionOf(site, siteSpace)?.id })
    removeSiteSpace(site, siteSpace)
  }
}

/** Where a site displays a space that was restored. */
export interface ReturnedPlace {
  readonly section: string | undefined
  readonly index: number
  readonly isDefault: boolean
}

/** Returns a space that was restored to a site. */
export const returnToSite = (
  site: Site,
  space: string,
  { section: id, index, isDefault }: ReturnedPlace
): void => {
  const { siteSpace } = site.trashed.get(space)!
  site.trashed.delete(space)
  const section = sectionsOf(site).find((one) => one.id === id)
  const list = section === undefined ? site.root : section.siteSpaces
  list.splice(index, 0, siteSpace)
  if (!isDefault && list.length > 1) return
  if (section === undefined) site.rootDefault = siteSpace
  else section.default = siteSpace
}

/** Returns the published sites with a space, the most public ones first. */
export const publishedSitesWith = (sites: Iterable<Site>, space: string): ReadonlyArray<Site> =>
  [...sites]
    .filter((site) => site.published && siteSpacesOf(site).some((siteSpace) => siteSpace.space === space))
    .sort((a, b) => visibilities.indexOf(a.visibility) - visibilities.indexOf(b.visibility))

/** Returns the visibility of a space, as its resource reports it. */
export const visibilityOf = (sites: Iterable<Site>, { id, parent, level }: Item): string =>
  publishedSitesWith(sites, id)[0]?.visibility ??
  (parent !== null && level === "inherit" ? "in-collection" : "private")
