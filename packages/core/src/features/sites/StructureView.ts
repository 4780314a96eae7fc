/** A site's structure as callers see it. */

import { type Caller, roleOn } from "../../access/Access.ts"
import type { SiteSectionGroupRow, SiteSectionRow } from "../../model/sites/SiteSection.ts"
import type { SiteSpace, SiteSpaceRow } from "../../model/sites/SiteSpace.ts"
import type { SiteSection, SiteSectionGroup, SiteStructure } from "../../model/sites/SiteStructure.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import type { SpaceId, SpaceRow } from "../../model/spaces/Space.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"

/** A structure, and what it takes to show it. */
export interface Shown {
  readonly structure: Structures.Structure
  readonly spaces: ReadonlyMap<SpaceId, SpaceRow>
  readonly caller: Caller
  /** The address of the workspace. */
  readonly base: string
  /** The address of the published site; undefined while it is not. */
  readonly root: string | undefined
}

const urls = (published: string | undefined) => (published === undefined ? {} : { published })

/** A row as a resource. */
export const siteSpace = ({ structure, spaces, caller, base, root }: Shown, row: SiteSpaceRow): SiteSpace => {
  const space = spaces.get(row.space)!
  return {
    object: "site-space",
    id: row.id,
    path: row.path,
    ...(row.section === null ? {} : { section: row.section }),
    space: presentSpace(base, space, roleOn(caller, space)),
    title: space.title,
    default: Structures.isDefault(structure, row),
    ...(row.condition === null ? {} : { condition: row.condition }),
    urls: urls(root === undefined ? undefined : Structures.siteSpaceUrl(structure, root, row))
  }
}

/** A row as a resource. */
export const section = (shown: Shown, row: SiteSectionRow): SiteSection => {
  const { structure, root } = shown
  return {
    object: "site-section",
    id: row.id,
    title: row.title,
    ...(row.description === null ? {} : { description: row.description }),
    default: structure.site.defaultSection === row.id,
    path: row.path,
    ...(row.condition === null ? {} : { condition: row.condition }),
    ...(row.sectionGroup === null ? {} : { sectionGroup: row.sectionGroup }),
    ...(row.icon === null ? {} : { icon: row.icon }),
    siteSpaces: Structures.siteSpacesIn(structure, row.id).map((inside) => siteSpace(shown, inside)),
    urls: urls(root === undefined ? undefined : Structures.sectionUrl(structure, root, row))
  }
}

/** A row as a resource. */
export const group = (shown: Shown, row: SiteSectionGroupRow): SiteSectionGroup => {
  const sections = Structures.sectionsIn(shown.structure, row.id).map((inside) => section(shown, inside))
  return {
    object: "site-section-group",
    id: row.id,
    title: row.title,
    ...(row.icon === null ? {} : { icon: row.icon }),
    sections,
    children: sections
  }
}

/** All of it. */
export const whole = (shown: Shown): SiteStructure => {
  const { structure } = shown
  return Structures.isFlat(structure)
    ? {
        type: "siteSpaces",
        structure: Structures.siteSpacesIn(structure, null).map((row) => siteSpace(shown, row))
      }
    : {
        type: "sections",
        structure: Structures.topLevel(structure).map((row) =>
          Structures.isGroup(row) ? group(shown, row) : section(shown, row)
        )
      }
}
