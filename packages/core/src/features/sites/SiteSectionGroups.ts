/** Operations on the section groups of a site. */

import { type AccessError, type Command, Locks, Operations, type Query } from "@lectern/access"
import { Ids, paginateInMemory } from "@lectern/kernel"
import {
  StructureEdits as Edits,
  type SiteSectionGroupRow,
  SiteStructureRules as Structures
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import type { SiteSectionGroup } from "@lectern/model/sites"
import {
  AddSectionToGroup,
  AddSiteSectionGroup,
  MoveSiteSectionGroup,
  SiteId,
  SiteSectionGroupId,
  SiteSectionId,
  UpdateSiteSectionGroup
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { type EditableSite, SiteEditing } from "./SiteEditing.ts"
import { presentSectionGroup } from "./StructureView.ts"

/**
 * Operations on the section groups of a site, on behalf of the `CurrentUser`. All except `list` require the role
 * `create` in the organization. They fail with `Forbidden` if the caller's role is too low, and with `NotFound` for a
 * site that the caller cannot see or a group that is not on it.
 */
export interface SiteSectionGroupsOperations {
  /** Lists the section groups of a site in its order. */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: PageQuery },
    Page<SiteSectionGroup>,
    AccessError
  >
  /**
   * Adds a section group to the end of the top level, and moves the given sections of the site into it. Fails with
   * `InvalidInput` if a section is not on the site, and with `Conflict` if the site has 100 groups, the maximum.
   */
  readonly add: Command<
    { organization: OrganizationId; site: SiteId; input: AddSiteSectionGroup },
    SiteSectionGroup,
    AccessError | Conflict
  >
  /** Updates the given fields. */
  readonly update: Command<
    {
      organization: OrganizationId
      site: SiteId
      sectionGroup: SiteSectionGroupId
      input?: UpdateSiteSectionGroup
    },
    SiteSectionGroup,
    AccessError
  >
  /** Removes the section group. Its sections take its place at the top level. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; sectionGroup: SiteSectionGroupId },
    void,
    AccessError
  >
  /**
   * Moves a section of the site to the end of the section group, and returns the group. Fails with `InvalidInput` if
   * the section is not on the site.
   */
  readonly addSection: Command<
    {
      organization: OrganizationId
      site: SiteId
      sectionGroup: SiteSectionGroupId
      input: AddSectionToGroup
    },
    SiteSectionGroup,
    AccessError
  >
  /** Moves a section of the section group to the top level, directly after the group. */
  readonly removeSection: Command<
    {
      organization: OrganizationId
      site: SiteId
      sectionGroup: SiteSectionGroupId
      section: SiteSectionId
    },
    void,
    AccessError
  >
  /**
   * Moves the section group among the groups and sections of the top level, or to the end if there is no position.
   * Fails with `InvalidInput` if the position names an item that is not at the top level.
   */
  readonly move: Command<
    {
      organization: OrganizationId
      site: SiteId
      sectionGroup: SiteSectionGroupId
      input?: MoveSiteSectionGroup
    },
    SiteSectionGroup,
    AccessError
  >
}

/** Stores the next structure, and presents one of its section groups. */
const commit = Effect.fnUntraced(function* (
  { save, loadForView }: SiteEditing["Service"],
  site: EditableSite,
  after: Structures.Structure,
  id: SiteSectionGroupId
) {
  const structure = yield* save(site.records, site.structure, after)
  const row = structure.groups.find((group) => group.id === id)!
  return presentSectionGroup(yield* loadForView({ ...site, structure }), row)
})

const makeGroups = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const editing = yield* SiteEditing
  const ids = yield* Ids

  return {
    list: query(
      "SiteSectionGroups.list",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: PageQuery },
        authorize: editing.allow.site("view")
      },
      function* ({ site: id, input }, opened) {
        const site = yield* editing.loadForView(opened)
        return yield* paginateInMemory(input, {
          list: ["section groups", id],
          items: opened.structure.groups.map((row) => ({
            place: row.position,
            id: row.id,
            item: presentSectionGroup(site, row)
          }))
        })
      }
    ),

    add: command(
      "SiteSectionGroups.add",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AddSiteSectionGroup },
        authorize: editing.allow.site("edit"),
        locks: Locks.organization
      },
      function* ({ site: siteId, input }, site) {
        const { structure } = site
        const sections = [...new Set(input.sections)]
        const unknown = (input.sections ?? []).flatMap((section, index) =>
          structure.sectionById.has(section)
            ? []
            : [{ path: `sections.${index}`, message: "must be the id of a section of the site" }]
        )
        if (unknown.length > 0) return yield* InvalidInput.of(unknown)
        if (structure.groups.length >= Structures.siteLimits.groups) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${Structures.siteLimits.groups} section groups, the maximum. Remove a group first.`
          })
        }
        const row: SiteSectionGroupRow = {
          id: SiteSectionGroupId.make(yield* ids.next),
          organization: structure.site.organization,
          site: siteId,
          position: Edits.keyAtTopLevelEnd(structure),
          title: input.title,
          icon: input.icon ?? null
        }
        return yield* commit(editing, site, Edits.addGroup(structure, row, sections), row.id)
      }
    ),

    update: command(
      "SiteSectionGroups.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          sectionGroup: SiteSectionGroupId,
          input: UpdateSiteSectionGroup
        },
        authorize: editing.allow.sectionGroup("edit"),
        locks: Locks.organization
      },
      function* ({ sectionGroup: id, input }, site) {
        return yield* commit(editing, site, Edits.updateRow(site.structure, "groups", id, input), id)
      }
    ),

    remove: command(
      "SiteSectionGroups.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, sectionGroup: SiteSectionGroupId },
        authorize: editing.allow.sectionGroup("edit"),
        locks: Locks.organization
      },
      function* ({ sectionGroup: id }, { structure, records }) {
        yield* editing.save(records, structure, Edits.removeGroup(structure, id))
      }
    )
  }
})

const makeMoves = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing

  return {
    addSection: command(
      "SiteSectionGroups.addSection",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          sectionGroup: SiteSectionGroupId,
          input: AddSectionToGroup
        },
        authorize: editing.allow.sectionGroup("edit"),
        locks: Locks.organization
      },
      function* ({ sectionGroup: id, input: { sectionId } }, site) {
        const { structure } = site
        if (!structure.sectionById.has(sectionId)) {
          return yield* InvalidInput.at("sectionId", "must be the id of a section of the site")
        }
        return yield* commit(editing, site, Edits.moveSectionsToGroup(structure, id, [sectionId]), id)
      }
    ),

    removeSection: command(
      "SiteSectionGroups.removeSection",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          sectionGroup: SiteSectionGroupId,
          section: SiteSectionId
        },
        authorize: editing.allow.sectionInGroup("edit"),
        locks: Locks.organization
      },
      function* ({ sectionGroup, section }, { structure, records }) {
        yield* editing.save(records, structure, Edits.ungroupSection(structure, sectionGroup, section))
      }
    ),

    move: command(
      "SiteSectionGroups.move",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          sectionGroup: SiteSectionGroupId,
          input: MoveSiteSectionGroup
        },
        authorize: editing.allow.sectionGroup("edit"),
        locks: Locks.organization
      },
      function* ({ sectionGroup: id, input: { position } }, site) {
        const { structure } = site
        const key = yield* editing.requirePosition(
          Structures.keyAt(Structures.topLevel(structure), id, position?.before?.id, position?.after?.id)
        )
        return yield* commit(editing, site, Edits.updateRow(structure, "groups", id, { position: key }), id)
      }
    )
  }
})

const makeSiteSectionGroups = Effect.gen(function* () {
  return { ...(yield* makeGroups), ...(yield* makeMoves) }
})

/** Operations on the section groups of a site: see {@link SiteSectionGroupsOperations}. */
export class SiteSectionGroups extends Context.Service<SiteSectionGroups, SiteSectionGroupsOperations>()(
  "@lectern/core/SiteSectionGroups"
) {
  static readonly layer: Layer.Layer<SiteSectionGroups, never, Operations | SiteEditing | Ids> = Layer.effect(
    SiteSectionGroups,
    makeSiteSectionGroups
  )
}
