/** Operations on the spaces on a site. */

import {
  Access,
  type AccessError,
  type Command,
  Locks,
  Operations,
  type Query,
  VisitorAccess
} from "@lectern/access"
import { Ids, paginateInMemory } from "@lectern/kernel"
import {
  StructureEdits as Edits,
  type SiteSectionRow,
  type SiteSpaceRow,
  SiteStructureRules as Structures
} from "@lectern/kernel/tables"
import { freeAmong } from "@lectern/markdown/text"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import {
  AddSiteSpace,
  ListSiteSpaces,
  MoveSiteSpace,
  SiteId,
  SiteSectionId,
  type SiteSpace,
  SiteSpaceId,
  UpdateSiteSpace
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { SpaceCopies } from "../spaces/SpaceCopies.ts"
import { type AddSpaceError, type EditableSite, SiteEditing } from "./SiteEditing.ts"
import { presentSiteSpace } from "./StructureView.ts"

/**
 * Operations on the spaces on a site, on behalf of the `CurrentUser`. All except `list` require the role `create` in
 * the organization. They fail with `Forbidden` if the caller's role is too low, and with `NotFound` for a site that the
 * caller cannot see or a site-space that is not on it.
 */
export interface SiteSpacesOperations {
  /**
   * Lists the site-spaces of a site in its order. With a share key or a visitor token, lists only the site-spaces that
   * this visitor can see, and fails with `NotFound` if the site is not published or does not admit the visitor.
   */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: ListSiteSpaces },
    Page<SiteSpace>,
    AccessError
  >
  /**
   * Adds a space to the end of the given section, of the default section, or of the root of a site without sections;
   * also requires the role `create` on the space. Fails with `Conflict` if the space is in the trash or on the site
   * already, or the site has 500 spaces, the maximum, and with `InvalidInput` if the section is not on the site.
   */
  readonly add: Command<
    { organization: OrganizationId; site: SiteId; input: AddSiteSpace },
    SiteSpace,
    AddSpaceError
  >
  /**
   * Updates the given fields. Fails with `Conflict` if another site-space of the section has the path, and with
   * `InvalidInput` if the condition names an undeclared claim.
   */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId; input?: UpdateSiteSpace },
    SiteSpace,
    AccessError | Conflict
  >
  /**
   * Duplicates the space, and adds the copy to the site after it: to the same section, or if it is the only one there, to a new section
   * next to it. Also requires the role `create` on the space and its parent. Fails with `Conflict` if the site has 500 spaces or
   * 200 sections, the maximum.
   */
  readonly duplicate: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId },
    SiteSpace,
    AddSpaceError
  >
  /** Removes the space from the site. The space itself is not removed. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId },
    void,
    AccessError
  >
  /**
   * Moves the site-space among the site-spaces of its section or of the root, or to the end if there is no position.
   * Fails with `InvalidInput` if the position names a site-space that is not among them.
   */
  readonly move: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId; input?: MoveSiteSpace },
    SiteSpace,
    AccessError
  >
}

/** Returns the position after an item of a level, or the end of the level. */
const positionAfter = (siblings: Parameters<typeof Structures.keyAt>[0], id: string): string => {
  const key = Structures.keyAt(siblings, "", undefined, id)
  return typeof key === "string" ? key : Structures.keyAtEnd(siblings)
}

/** Returns the section for the copy of the only site-space of a section: next to it, with a path that is free. */
const siblingSection = (
  structure: Structures.Structure,
  section: SiteSectionRow,
  id: SiteSectionId
): SiteSectionRow => ({
  ...section,
  id,
  position: positionAfter(Structures.siblingsIn(structure, section.sectionGroup), section.id),
  path: freeAmong(new Set(structure.sections.map(({ path }) => path)), section.path),
  defaultSiteSpace: null
})

/** Whether the URL of the site resolves to the site-space: the default of the root, or of the default section. */
const isDefaultOfSite = (structure: Structures.Structure, row: SiteSpaceRow): boolean =>
  row.section === structure.site.defaultSection && Structures.isDefault(structure, row)

/** Stores the next structure, and presents one of its site-spaces. */
const commit = Effect.fnUntraced(function* (
  { save, loadForView }: SiteEditing["Service"],
  site: EditableSite,
  after: Structures.Structure,
  id: SiteSpaceId
) {
  const structure = yield* save(site.records, site.structure, after)
  const row = structure.siteSpaces.find((siteSpace) => siteSpace.id === id)!
  return presentSiteSpace(yield* loadForView({ ...site, structure }), row)
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const editing = yield* SiteEditing
  const visitors = yield* VisitorAccess

  return {
    list: query(
      "SiteSpaces.list",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListSiteSpaces },
        authorize: allow.site("view")
      },
      function* ({ site: id, input }, viewable) {
        const visited = yield* visitors.resolvePreview(viewable, input)
        const { structure, shareKey } = visited
        const site = yield* editing.loadForView(visited, shareKey)
        const rows = Structures.siteSpacesInOrder(structure).filter(
          (row) => input.default === undefined || input.default === isDefaultOfSite(structure, row)
        )
        return yield* paginateInMemory(input, {
          list: ["site spaces", id, input.shareKey, input.visitorAuthToken, input.default],
          items: rows.map((row) => ({
            place: Structures.placeOf(structure, row),
            id: row.id,
            item: presentSiteSpace(site, row)
          }))
        })
      }
    )
  }
})

const makeAdditions = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing
  const access = yield* Access
  const copies = yield* SpaceCopies
  const ids = yield* Ids

  return {
    add: command(
      "SiteSpaces.add",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AddSiteSpace },
        authorize: editing.allow.site("edit", "publish"),
        locks: Locks.organization
      },
      function* ({ input }, site) {
        const { structure } = site
        const section = input.sectionId ?? structure.site.defaultSection
        if (section !== null && !structure.sectionById.has(section)) {
          return yield* InvalidInput.at("sectionId", "must be the id of a section of the site")
        }
        const space = yield* editing.loadSpaceToAdd(structure, input.spaceId)
        const row = yield* editing.newSiteSpace(structure, section, space)
        return yield* commit(editing, site, Edits.addSiteSpace(structure, row), row.id)
      }
    ),

    duplicate: command(
      "SiteSpaces.duplicate",
      {
        parameters: { organization: OrganizationId, site: SiteId, siteSpace: SiteSpaceId },
        authorize: editing.allow.siteSpace("edit", "duplicate", "publish"),
        locks: Locks.organization
      },
      function* (_, site) {
        const { structure, siteSpace } = site
        const { space: original, caller } = yield* access.space(siteSpace.space, "duplicate")
        const { id } = yield* copies.copy({ space: original, caller, records: site.records })
        const space = yield* editing.loadSpaceToAdd(structure, id)
        const siblings = Structures.siteSpacesIn(structure, siteSpace.section)
        const section = siteSpace.section === null ? undefined : structure.sectionById.get(siteSpace.section)
        if (section === undefined || siblings.length > 1) {
          const added = yield* editing.newSiteSpace(structure, siteSpace.section, space)
          const row = { ...added, position: positionAfter(siblings, siteSpace.id) }
          return yield* commit(editing, site, Edits.addSiteSpace(structure, row), row.id)
        }
        if (structure.sections.length >= Structures.siteLimits.sections) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${Structures.siteLimits.sections} sections, the maximum. Remove a section first.`
          })
        }
        const sectionId = SiteSectionId.make(yield* ids.next)
        const withSection = Edits.addSection(structure, siblingSection(structure, section, sectionId))
        const row = yield* editing.newSiteSpace(withSection, sectionId, space)
        return yield* commit(editing, site, Edits.addSiteSpace(withSection, row), row.id)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing

  return {
    update: command(
      "SiteSpaces.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          siteSpace: SiteSpaceId,
          input: UpdateSiteSpace
        },
        authorize: editing.allow.siteSpace("edit"),
        locks: Locks.organization
      },
      function* ({ site: siteId, siteSpace: id, input }, site) {
        const { structure, siteSpace } = site
        yield* editing.checkPath(Structures.siteSpacesIn(structure, siteSpace.section), id, input.path)
        yield* editing.checkCondition(site.records, siteId, input.condition)
        return yield* commit(editing, site, Edits.updateRow(structure, "siteSpaces", id, input), id)
      }
    ),

    remove: command(
      "SiteSpaces.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, siteSpace: SiteSpaceId },
        authorize: editing.allow.siteSpace("edit"),
        locks: Locks.organization
      },
      function* ({ siteSpace: id }, { structure, records }) {
        yield* editing.save(records, structure, Edits.removeSiteSpaces(structure, new Set([id])))
      }
    ),

    move: command(
      "SiteSpaces.move",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          siteSpace: SiteSpaceId,
          input: MoveSiteSpace
        },
        authorize: editing.allow.siteSpace("edit"),
        locks: Locks.organization
      },
      function* ({ siteSpace: id, input: { position } }, site) {
        const { structure, siteSpace } = site
        const key = yield* editing.requirePosition(
          Structures.keyAt(
            Structures.siteSpacesIn(structure, siteSpace.section),
            id,
            position?.before?.siteSpace,
            position?.after?.siteSpace
          )
        )
        return yield* commit(
          editing,
          site,
          Edits.updateRow(structure, "siteSpaces", id, { position: key }),
          id
        )
      }
    )
  }
})

const makeSiteSpaces = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeAdditions), ...(yield* makeEdits) }
})

/** Operations on the spaces on a site: see {@link SiteSpacesOperations}. */
export class SiteSpaces extends Context.Service<SiteSpaces, SiteSpacesOperations>()(
  "@lectern/core/SiteSpaces"
) {
  static readonly layer: Layer.Layer<
    SiteSpaces,
    never,
    Operations | Access | SiteEditing | VisitorAccess | SpaceCopies | Ids
  > = Layer.effect(SiteSpaces, makeSiteSpaces)
}
