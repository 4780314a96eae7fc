/** Operations on the sections of a site. */

import { type AccessError, type Command, Locks, Operations, type Query, VisitorAccess } from "@lectern/access"
import { Ids, paginateInMemory } from "@lectern/kernel"
import {
  StructureEdits as Edits,
  type SiteSectionRow,
  SiteStructureRules as Structures
} from "@lectern/kernel/tables"
import { freeAmong, slugOf } from "@lectern/markdown/text"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import type { SiteSection } from "@lectern/model/sites"
import {
  AddSiteSection,
  ListSiteSections,
  MoveSiteSection,
  SiteId,
  SiteSectionId,
  UpdateSiteSection
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { type AddSpaceError, type EditableSite, SiteEditing } from "./SiteEditing.ts"
import { presentSection } from "./StructureView.ts"

/**
 * Operations on the sections of a site, on behalf of the `CurrentUser`. All except `list` require the role `create` in
 * the organization. They fail with `Forbidden` if the caller's role is too low, and with `NotFound` for a site that the
 * caller cannot see or a section that is not on it.
 */
export interface SiteSectionsOperations {
  /**
   * Lists the sections of a site in its order, including grouped sections. With a share key or a visitor token, lists
   * only the sections that this visitor can see, and fails with `NotFound` if the site is not published or does not
   * admit the visitor.
   */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: ListSiteSections },
    Page<SiteSection>,
    AccessError
  >
  /**
   * Adds a section with one space to the end of the site; also requires the role `create` on the space. If the site has
   * site-spaces at its root, they move into another new section, which has the title of the site and is its default.
   * Fails with `Conflict` if the space is in the trash or on the site already, or the site has 200 sections or 500
   * spaces, the maximum.
   */
  readonly add: Command<
    { organization: OrganizationId; site: SiteId; input: AddSiteSection },
    SiteSection,
    AddSpaceError
  >
  /**
   * Updates the given fields. Fails with `Conflict` if another section of the site has the path, and with
   * `InvalidInput` if the default site-space is not in the section or the condition names an undeclared claim.
   */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; section: SiteSectionId; input?: UpdateSiteSection },
    SiteSection,
    AccessError | Conflict
  >
  /** Removes the section with its site-spaces. The spaces themselves are not removed. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; section: SiteSectionId },
    void,
    AccessError
  >
  /**
   * Moves the section among its siblings, or to the end if there is no position. Its siblings are the sections of its
   * group, or the sections and groups of the top level. Fails with `InvalidInput` if the position does not name a
   * sibling.
   */
  readonly move: Command<
    { organization: OrganizationId; site: SiteId; section: SiteSectionId; input?: MoveSiteSection },
    SiteSection,
    AccessError
  >
}

/** The minimum length of a section title, in characters. The title of a space can be shorter. */
const minimumTitleLength = 2

/** The title of a section whose space has too short a title. */
const defaultTitle = "Untitled"

/** Stores the next structure, and presents one of its sections. */
const commit = Effect.fnUntraced(function* (
  { save, loadForView }: SiteEditing["Service"],
  site: EditableSite,
  after: Structures.Structure,
  id: SiteSectionId
) {
  const structure = yield* save(site.records, site.structure, after)
  return presentSection(yield* loadForView({ ...site, structure }), structure.sectionById.get(id)!)
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const editing = yield* SiteEditing
  const visitors = yield* VisitorAccess

  return {
    list: query(
      "SiteSections.list",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListSiteSections },
        authorize: allow.site("view")
      },
      function* ({ site: id, input }, viewable) {
        const visited = yield* visitors.resolvePreview(viewable, input)
        const { structure, shareKey } = visited
        const site = yield* editing.loadForView(visited, shareKey)
        return yield* paginateInMemory(input, {
          list: ["sections", id, input.shareKey, input.visitorAuthToken],
          items: Structures.sectionsInOrder(structure).map((row) => ({
            place: Structures.placeOf(structure, row),
            id: row.id,
            item: presentSection(site, row)
          }))
        })
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing
  const ids = yield* Ids

  /** Builds the row of a section at the end of the top level, with a path unique on the site. */
  const newSection = Effect.fnUntraced(function* (
    structure: Structures.Structure,
    title: string,
    icon: string | null
  ): Effect.fn.Return<SiteSectionRow> {
    return {
      id: SiteSectionId.make(yield* ids.next),
      organization: structure.site.organization,
      site: structure.site.id,
      sectionGroup: null,
      position: Edits.keyAtTopLevelEnd(structure),
      title,
      description: null,
      path: freeAmong(new Set(structure.sections.map(({ path }) => path)), slugOf(title, "section")),
      condition: null,
      icon,
      defaultSiteSpace: null
    }
  })

  return {
    add: command(
      "SiteSections.add",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AddSiteSection },
        authorize: editing.allow.site("edit", "publish"),
        locks: Locks.organization
      },
      function* ({ input }, site) {
        const space = yield* editing.loadSpaceToAdd(site.structure, input.spaceId)
        let { structure } = site
        if (structure.sections.length >= Structures.siteLimits.sections) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${Structures.siteLimits.sections} sections, the maximum. Remove a section first.`
          })
        }
        if (structure.siteSpaces.length > 0 && structure.sections.length === 0) {
          const section = yield* newSection(structure, structure.site.title, null)
          structure = Edits.moveRootToSection(structure, section)
        }
        const requested = input.title ?? space.title
        const title = Array.from(requested).length < minimumTitleLength ? defaultTitle : requested
        const row = yield* newSection(structure, title, input.icon ?? null)
        structure = Edits.addSection(structure, row)
        structure = Edits.addSiteSpace(structure, yield* editing.newSiteSpace(structure, row.id, space))
        return yield* commit(editing, site, structure, row.id)
      }
    ),

    update: command(
      "SiteSections.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          section: SiteSectionId,
          input: UpdateSiteSection
        },
        authorize: editing.allow.section("edit"),
        locks: Locks.organization
      },
      function* ({ site: siteId, section: id, input }, site) {
        const { structure } = site
        yield* editing.checkPath(structure.sections, id, input.path)
        yield* editing.checkCondition(site.records, siteId, input.condition)
        const { defaultSiteSpace } = input
        const inside = Structures.siteSpacesIn(structure, id)
        if (defaultSiteSpace !== undefined && !inside.some((row) => row.id === defaultSiteSpace)) {
          return yield* InvalidInput.at("defaultSiteSpace", "must be the id of a site-space in the section")
        }
        return yield* commit(editing, site, Edits.updateRow(structure, "sections", id, input), id)
      }
    )
  }
})

const makeStructure = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing

  return {
    remove: command(
      "SiteSections.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, section: SiteSectionId },
        authorize: editing.allow.section("edit"),
        locks: Locks.organization
      },
      function* ({ section: id }, { structure, records }) {
        yield* editing.save(records, structure, Edits.removeSection(structure, id))
      }
    ),

    move: command(
      "SiteSections.move",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          section: SiteSectionId,
          input: MoveSiteSection
        },
        authorize: editing.allow.section("edit"),
        locks: Locks.organization
      },
      function* ({ section: id, input: { position } }, site) {
        const { structure, section } = site
        const siblings = Structures.siblingsIn(structure, section.sectionGroup)
        const key = yield* editing.requirePosition(
          Structures.keyAt(siblings, id, position?.before?.siteSection, position?.after?.siteSection)
        )
        return yield* commit(editing, site, Edits.updateRow(structure, "sections", id, { position: key }), id)
      }
    )
  }
})

const makeSiteSections = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits), ...(yield* makeStructure) }
})

/** Operations on the sections of a site: see {@link SiteSectionsOperations}. */
export class SiteSections extends Context.Service<SiteSections, SiteSectionsOperations>()(
  "@lectern/core/SiteSections"
) {
  static readonly layer: Layer.Layer<SiteSections, never, Operations | SiteEditing | VisitorAccess | Ids> =
    Layer.effect(SiteSections, makeSiteSections)
}
