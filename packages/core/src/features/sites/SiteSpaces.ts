/** Operations on the spaces on a site. */
import { Context, Effect, Layer } from "effect"
import type { AccessError, Command, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { type Conflict, InvalidInput } from "../../kernel/errors.ts"
import { paginateInMemory } from "../../kernel/pagination/paginate.ts"
import type { Page } from "../../kernel/schema/Pagination.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { SiteId, SiteSpaceId } from "../../model/sites/Site.ts"
import {
  AddSiteSpace,
  ListSiteSpaces,
  MoveSiteSpace,
  type SiteSpace,
  type SiteSpaceRow,
  UpdateSiteSpace
} from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type AddSpaceError, type EditableSite, SiteEditing } from "./SiteEditing.ts"
import { presentSiteSpace } from "./StructureView.ts"
import * as Edits from "./structureEdits.ts"
import { Visitors } from "./Visitors.ts"

/** Operations on the spaces on a site, on behalf of the `CurrentUser`. */
export interface SiteSpacesOperations {
  /**
   * Lists the site-spaces of a site in its order. With a share key or a visitor token, lists only the site-spaces that
   * this visitor can see, and fails with `NotFound` when the site does not admit them.
   */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: ListSiteSpaces },
    Page<SiteSpace>,
    AccessError
  >
  /**
   * Adds a space to the site: to the end of the given section, or of the default section, or of the root of a site
   * without sections. Fails with `Conflict` when the space is on the site already, and beyond 500 spaces.
   */
  readonly add: Command<
    { organization: OrganizationId; site: SiteId; input: AddSiteSpace },
    SiteSpace,
    AddSpaceError
  >
  /** Updates the given fields. Fails with `Conflict` when another site-space of the section has the path. */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId; input?: UpdateSiteSpace },
    SiteSpace,
    AccessError | Conflict
  >
  /** Removes the space from the site. The space itself remains. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId },
    void,
    AccessError
  >
  /**
   * Moves the site-space among those of its section, or of the root, which must include the one that the position
   * names. Without a position, it moves to the end.
   */
  readonly move: Command<
    { organization: OrganizationId; site: SiteId; siteSpace: SiteSpaceId; input?: MoveSiteSpace },
    SiteSpace,
    AccessError
  >
}

/** Whether a site-space is the one at the address of the site: the default of the root, or of the default section. */
const isDefaultOfSite = (structure: Structures.Structure, row: SiteSpaceRow): boolean =>
  row.section === structure.site.defaultSection && Structures.isDefault(structure, row)

const makeSiteSpaces = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const editing = yield* SiteEditing
  const visitors = yield* Visitors

  /** Stores the next structure, and presents one of its site-spaces. */
  const commit = Effect.fnUntraced(function* (
    site: EditableSite,
    after: Structures.Structure,
    id: SiteSpaceId
  ) {
    const structure = yield* editing.save(site.records, site.structure, after)
    const row = structure.siteSpaces.find((siteSpace) => siteSpace.id === id)!
    return presentSiteSpace(yield* editing.loadForView({ ...site, structure }), row)
  })

  return {
    list: query(
      "SiteSpaces.list",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListSiteSpaces },
        authorize: allow.site("view")
      },
      function* ({ site: id, input }, given) {
        const visited = yield* visitors.open(given, input)
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
    ),

    add: command(
      "SiteSpaces.add",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AddSiteSpace },
        authorize: editing.allow.site("edit", "publish")
      },
      function* ({ input }, site) {
        const { structure } = site
        const section = input.sectionId ?? structure.site.defaultSection
        if (section !== null && !structure.sectionById.has(section)) {
          return yield* InvalidInput.at("sectionId", "must be the id of a section of the site")
        }
        const space = yield* editing.loadSpaceToAdd(structure, input.spaceId)
        const row = yield* editing.newSiteSpace(structure, section, space)
        return yield* commit(site, Edits.addSiteSpace(structure, row), row.id)
      }
    ),

    update: command(
      "SiteSpaces.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          siteSpace: SiteSpaceId,
          input: UpdateSiteSpace
        },
        authorize: editing.allow.siteSpace("edit")
      },
      function* ({ site: siteId, siteSpace: id, input }, site) {
        const { structure, siteSpace } = site
        yield* editing.checkPath(Structures.siteSpacesIn(structure, siteSpace.section), id, input.path)
        yield* editing.checkCondition(site.records, siteId, input.condition)
        return yield* commit(site, Edits.updateRow(structure, "siteSpaces", id, input), id)
      }
    ),

    remove: command(
      "SiteSpaces.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, siteSpace: SiteSpaceId },
        authorize: editing.allow.siteSpace("edit")
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
        authorize: editing.allow.siteSpace("edit")
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
        return yield* commit(site, Edits.updateRow(structure, "siteSpaces", id, { position: key }), id)
      }
    )
  }
})

/** Operations on the spaces on a site: see {@link SiteSpacesOperations}. */
export class SiteSpaces extends Context.Service<SiteSpaces, SiteSpacesOperations>()(
  "@lectern/core/SiteSpaces"
) {
  static readonly layer: Layer.Layer<SiteSpaces, never, Operations | SiteEditing | Visitors> = Layer.effect(
    SiteSpaces,
    makeSiteSpaces
  )
}
