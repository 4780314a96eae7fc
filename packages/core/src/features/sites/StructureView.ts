/** Presents the structure of a site as resources. */

import type { Caller } from "@lectern/access"
import {
  type SiteExternalLinkRow,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SpaceRow,
  SiteStructureRules as Structures
} from "@lectern/kernel/tables"
import type {
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure
} from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { presentSpaceFor } from "../../views/spaces/SpaceView.ts"

/** A structure with the rows and URLs that its resources are derived from. */
export interface PresentableStructure {
  readonly structure: Structures.Structure
  /** The spaces on the site. */
  readonly spaces: ReadonlyMap<SpaceId, SpaceRow>
  readonly caller: Caller
  /** The URL of the workspace. */
  readonly base: string
  /** The URL of the published site; undefined if the site is not published. */
  readonly root: string | undefined
}

const urlsOf = (published: string | undefined) => (published === undefined ? {} : { published })

/** Presents a site-space as a resource. */
export const presentSiteSpace = (
  { structure, spaces, caller, base, root }: PresentableStructure,
  row: SiteSpaceRow
): SiteSpace => {
  const space = spaces.get(row.space)!
  return {
    object: "site-space",
    id: row.id,
    path: row.path,
    ...(row.section === null ? {} : { section: row.section }),
    space: presentSpaceFor(base, caller, space),
    title: space.title,
    default: Structures.isDefault(structure, row),
    draft: false,
    ...(row.condition === null ? {} : { condition: row.condition }),
    urls: urlsOf(root === undefined ? undefined : Structures.siteSpaceUrl(structure, root, row))
  }
}

/** Presents a section as a resource. */
export const presentSection = (site: PresentableStructure, row: SiteSectionRow): SiteSection => {
  const { structure, root } = site
  return {
    object: "site-section",
    id: row.id,
    title: row.title,
    ...(row.description === null ? {} : { description: row.description }),
    default: structure.site.defaultSection === row.id,
    draft: false,
    path: row.path,
    ...(row.condition === null ? {} : { condition: row.condition }),
    ...(row.sectionGroup === null ? {} : { sectionGroup: row.sectionGroup }),
    ...(row.icon === null ? {} : { icon: row.icon }),
    siteSpaces: Structures.siteSpacesIn(structure, row.id).map((inside) => presentSiteSpace(site, inside)),
    urls: urlsOf(root === undefined ? undefined : Structures.sectionUrl(structure, root, row))
  }
}

/** Presents a link as a resource. */
export const presentLink = (row: SiteExternalLinkRow): SiteExternalLink => ({
  object: "site-external-link",
  id: row.id,
  title: row.title,
  ...(row.description === null ? {} : { description: row.description }),
  url: row.url,
  ...(row.icon === null ? {} : { icon: row.icon }),
  ...(row.sectionGroup === null ? {} : { sectionGroup: row.sectionGroup }),
  draft: row.draft,
  ...(row.condition === null ? {} : { condition: row.condition })
})

const presentGrouped = (site: PresentableStructure, row: Structures.GroupedRow) =>
  Structures.isLink(row) ? presentLink(row) : presentSection(site, row)

/** Presents a section group as a resource. */
export const presentSectionGroup = (
  site: PresentableStructure,
  row: SiteSectionGroupRow
): SiteSectionGroup => {
  const children = Structures.groupedIn(site.structure, row.id).map((inside) => presentGrouped(site, inside))
  return {
    object: "site-section-group",
    id: row.id,
    title: row.title,
    ...(row.icon === null ? {} : { icon: row.icon }),
    draft: false,
    sections: children.filter((child) => child.object === "site-section"),
    children
  }
}

/** Presents the whole structure: site-spaces for a flat site, otherwise sections, section groups and links. */
export const presentStructure = (site: PresentableStructure): SiteStructure => {
  const { structure } = site
  return Structures.isFlat(structure)
    ? {
        type: "siteSpaces",
        structure: Structures.siteSpacesIn(structure, null).map((row) => presentSiteSpace(site, row))
      }
    : {
        type: "sections",
        structure: Structures.topLevel(structure).map((row) =>
          Structures.isGroup(row) ? presentSectionGroup(site, row) : presentGrouped(site, row)
        )
      }
}
