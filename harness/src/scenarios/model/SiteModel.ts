/** Sites as plainly as they can be said: lists of spaces, in sections, in groups, each list with a default. */
import type { Item } from "./WorkspaceModel.ts"

/** A space on a site. */
export interface Leaf {
  readonly id: string
  readonly space: string
}
export interface Section {
  readonly id: string
  readonly leaves: Array<Leaf>
  default: Leaf | undefined
}
export interface Group {
  readonly group: string
  readonly sections: Array<Section>
}
export interface ShareLink {
  readonly id: string
  readonly key: string
  name: string
  active: boolean
}

/** From the most open to the least. */
export const visibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const
export type SiteVisibility = (typeof visibilities)[number]

/** A site. It is its `root` as long as it has no sections. */
export interface Site {
  readonly id: string
  readonly organization: string
  title: string
  visibility: SiteVisibility
  published: boolean
  root: Array<Leaf>
  rootDefault: Leaf | undefined
  readonly top: Array<Section | Group>
  default: Section | undefined
  readonly links: Array<ShareLink>
}

export const isGroup = (one: Section | Group): one is Group => "group" in one
export const groupsOf = ({ top }: Site): ReadonlyArray<Group> => top.filter(isGroup)

/** The sections as one meets them going through the site in order. */
export const sectionsOf = ({ top }: Site): ReadonlyArray<Section> =>
  top.flatMap((one) => (isGroup(one) ? one.sections : [one]))

/** The spaces on the site, in the same order. */
export const leavesOf = (site: Site): ReadonlyArray<Leaf> => [
  ...site.root,
  ...sectionsOf(site).flatMap(({ leaves }) => leaves)
]

/** Whether it has no sections, or at most groups that none is in yet. */
export const isFlat = (site: Site): boolean =>
  sectionsOf(site).length === 0 && (site.top.length === 0 || site.root.length > 0)

/** The list that a section stands in: that of its group, or the top level. */
export const listOf = (site: Site, section: Section): Array<Section | Group> =>
  site.top.find((one): one is Group => isGroup(one) && one.sections.includes(section))?.sections ?? site.top

/** The section that a space stands in; undefined at the root. */
export const homeOf = (site: Site, leaf: Leaf): Section | undefined =>
  sectionsOf(site).find(({ leaves }) => leaves.includes(leaf))

/** Takes one out of a list, and answers what stands in for it where it was the default. */
const drop = <A>(list: Array<A>, one: A, standing: A | undefined): A | undefined => {
  const index = list.indexOf(one)
  list.splice(index, 1)
  return standing === one ? (list[index] ?? list[index - 1]) : standing
}

export const takeLeaf = (site: Site, leaf: Leaf): void => {
  const home = homeOf(site, leaf)
  if (home === undefined) site.rootDefault = drop(site.root, leaf, site.rootDefault)
  else home.default = drop(home.leaves, leaf, home.default)
}

export const putLeaf = (site: Site, leaf: Leaf, section: Section | undefined): void => {
  if (section === undefined) {
    site.root.push(leaf)
    site.rootDefault ??= leaf
  } else {
    section.leaves.push(leaf)
    section.default ??= leaf
  }
}

export const takeSection = (site: Site, section: Section): void => {
  site.default = drop([...sectionsOf(site)], section, site.default)
  const list = listOf(site, section)
  list.splice(list.indexOf(section), 1)
}

/** Makes a section of what is at the root. */
export const wrapRoot = (site: Site, id: string): void => {
  const wrapped: Section = { id, leaves: site.root, default: site.rootDefault }
  site.root = []
  site.rootDefault = undefined
  site.top.push(wrapped)
  site.default = wrapped
}

/** Takes spaces off all sites. */
export const unlink = (sites: Iterable<Site>, gone: ReadonlySet<string>): void => {
  for (const site of sites) {
    for (const leaf of leavesOf(site)) if (gone.has(leaf.space)) takeLeaf(site, leaf)
  }
}

/** The published sites that a space is on, the most open ones first. */
export const publishedOn = (sites: Iterable<Site>, space: string): ReadonlyArray<Site> =>
  [...sites]
    .filter((site) => site.published && leavesOf(site).some((leaf) => leaf.space === space))
    .sort((a, b) => visibilities.indexOf(a.visibility) - visibilities.indexOf(b.visibility))

/** Who can read a space. */
export const visibilityOf = (sites: Iterable<Site>, { id, parent, level }: Item): string =>
  publishedOn(sites, id)[0]?.visibility ??
  (parent !== null && level === "inherit" ? "in-collection" : "private")
