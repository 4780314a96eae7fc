/** The operation that changes the order of a site's structure. */

import { type AccessError, type Command, Locks, Operations } from "@lectern/access"
import { StructureEdits as Edits, SiteStructureRules as Structures } from "@lectern/kernel/tables"
import { freeAmong } from "@lectern/markdown/text"
import { InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  SiteId,
  type SiteSectionGroupId,
  type SiteSectionId,
  type SiteStructureItem,
  type SiteStructurePointer,
  SortSiteStructure
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { SiteEditing } from "./SiteEditing.ts"
import { presentLink, presentSection, presentSectionGroup, presentSiteSpace } from "./StructureView.ts"

/** The operation that changes the order of a site's structure, on behalf of the `CurrentUser`. */
export interface SiteStructuresOperations {
  /**
   * Moves a site-space, a section, a section group or a link before or after another item, to the level of that item: a site-space to its
   * section, a section or a link to its group. Requires the role `create`. Fails with `InvalidInput` for an item that is not on the site, and if
   * the position names an item that it cannot be next to.
   */
  readonly sort: Command<
    { organization: OrganizationId; site: SiteId; input: SortSiteStructure },
    SiteStructureItem,
    AccessError
  >
}

/** The tables of the items, by the type of a pointer. */
const tableOf = {
  "site-space": "siteSpaces",
  "site-section": "sections",
  "site-section-group": "groups",
  "site-external-link": "links"
} as const

/** Whether both items can be on the same level. Groups, sections and links share the top level. */
const canBeNextTo = (item: SiteStructurePointer, other: SiteStructurePointer): boolean =>
  (item.type === "site-space") === (other.type === "site-space")

/** Returns the columns that place a site-space at the level of a sibling, with a path that is free there. */
const siteSpaceLevel = (structure: Structures.Structure, id: string, section: SiteSectionId | null) => {
  const moving = structure.siteSpaces.find((row) => row.id === id)!
  const siblings = Structures.siteSpacesIn(structure, section)
  return {
    siblings,
    changes:
      moving.section === section
        ? {}
        : { section, path: freeAmong(new Set(siblings.map(({ path }) => path)), moving.path) }
  }
}

/** Returns the columns that place a section or a link in a group; null for the top level. */
const groupedLevel = (structure: Structures.Structure, sectionGroup: SiteSectionGroupId | null) => ({
  siblings: Structures.siblingsIn(structure, sectionGroup),
  changes: { sectionGroup }
})

/** Returns the level of an item next to a sibling, or undefined if the item cannot have that level: a group is at the top level only. */
const levelNextTo = (
  structure: Structures.Structure,
  item: SiteStructurePointer,
  sibling: SiteStructurePointer
) => {
  if (item.type === "site-space") {
    const row = structure.siteSpaces.find(({ id }) => id === sibling.id)
    return row === undefined ? undefined : siteSpaceLevel(structure, item.id, row.section)
  }
  const isTopLevel = Structures.topLevel(structure).some(({ id }) => id === sibling.id)
  if (item.type === "site-section-group") {
    return isTopLevel ? { siblings: Structures.topLevel(structure), changes: {} } : undefined
  }
  const grouped = [...structure.sections, ...structure.links].find(({ id }) => id === sibling.id)
  return isTopLevel || grouped !== undefined
    ? groupedLevel(structure, grouped?.sectionGroup ?? null)
    : undefined
}

const makeSiteStructures = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing

  return {
    sort: command(
      "SiteStructures.sort",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: SortSiteStructure },
        authorize: editing.allow.site("edit"),
        locks: Locks.organization
      },
      function* ({ input: { item, position } }, site) {
        const { structure } = site
        const table = tableOf[item.type]
        if (!structure[table].some(({ id }) => id === item.id)) {
          return yield* InvalidInput.at("item", "must be an item of the site")
        }
        const { before, after } = position
        const sibling = before ?? after
        const field = before === undefined ? "position.after" : "position.before"
        if (sibling === undefined) {
          return yield* InvalidInput.at(
            "position",
            "must name the item before or after which the item is placed"
          )
        }
        const level = canBeNextTo(item, sibling) ? levelNextTo(structure, item, sibling) : undefined
        if (level === undefined || sibling.id === item.id) {
          return yield* InvalidInput.at(
            field,
            "must be another item of the site that the item can be next to"
          )
        }
        const key = yield* editing.requirePosition(
          Structures.keyAt(level.siblings, item.id, before?.id, after?.id)
        )
        const next = Edits.updateRow(structure, table, item.id, { ...level.changes, position: key })
        const saved = yield* editing.save(site.records, structure, next)
        const view = yield* editing.loadForView({ ...site, structure: saved })
        switch (item.type) {
          case "site-space":
            return presentSiteSpace(view, saved.siteSpaces.find(({ id }) => id === item.id)!)
          case "site-section":
            return presentSection(view, saved.sectionById.get(item.id)!)
          case "site-external-link":
            return presentLink(saved.links.find(({ id }) => id === item.id)!)
          default:
            return presentSectionGroup(view, saved.groups.find(({ id }) => id === item.id)!)
        }
      }
    )
  }
})

/** The operation that changes the order of a site's structure: see {@link SiteStructuresOperations}. */
export class SiteStructures extends Context.Service<SiteStructures, SiteStructuresOperations>()(
  "@lectern/core/SiteStructures"
) {
  static readonly layer: Layer.Layer<SiteStructures, never, Operations | SiteEditing> = Layer.effect(
    SiteStructures,
    makeSiteStructures
  )
}
