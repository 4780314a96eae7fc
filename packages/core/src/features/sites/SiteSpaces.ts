/** What callers do with the spaces on a site. */
import { Context, Effect, Layer } from "effect"
import { InvalidInput, NotFound } from "../../kernel/errors.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { pageOfShort } from "../../kernel/pagination/paginate.ts"
import { Records } from "../../kernel/storage/index.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { SiteId, SiteSpaceId } from "../../model/sites/Site.ts"
import {
  AddSiteSpace,
  ListSiteSpaces,
  MoveSiteSpace,
  type SiteSpaceRow,
  UpdateSiteSpace
} from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type OpenSite, SiteEditing } from "./SiteEditing.ts"
import { siteSpace as present } from "./StructureView.ts"
import * as Edits from "./structureEdits.ts"
import { Visitors } from "./Visitors.ts"

/** Whether a site-space is what the site opens with: the default of the root, or of the default section. */
const opensWith = (structure: Structures.Structure, row: SiteSpaceRow): boolean =>
  row.section === structure.site.defaultSection && Structures.isDefault(structure, row)

const makeSiteSpaces = Effect.gen(function* () {
  const records = yield* Records
  const editing = yield* SiteEditing
  const visitors = yield* Visitors

  const change = command(records)

  const find = (
    { siteSpaces }: Structures.Structure,
    id: SiteSpaceId
  ): Effect.Effect<SiteSpaceRow, NotFound> => {
    const row = siteSpaces.find((siteSpace) => siteSpace.id === id)
    return row === undefined ? Effect.fail(NotFound.of("site space")) : Effect.succeed(row)
  }

  /** Stores the next structure, and shows a site-space of it. */
  const commit = Effect.fnUntraced(function* (site: OpenSite, after: Structures.Structure, id: SiteSpaceId) {
    const structure = yield* editing.save(site.structure, after)
    return present(yield* editing.shown({ ...site, structure }), yield* find(structure, id))
  })

  return {
    /** The spaces on a site in its order; with a key or a token, those that a visitor is shown. */
    list: query([OrganizationId, SiteId, ListSiteSpaces], function* (organization, id, input) {
      const { structure, shareKey, caller } = yield* visitors.see(organization, id, input)
      const shown = yield* editing.shown({ caller, structure }, shareKey)
      const rows = Structures.siteSpacesInOrder(structure).filter(
        (row) => input.default === undefined || input.default === opensWith(structure, row)
      )
      return yield* pageOfShort(input, {
        list: ["site spaces", id, input.shareKey, input.visitorAuthToken, input.default],
        items: rows.map((row) => ({
          place: Structures.placeOf(structure, row),
          id: row.id,
          item: present(shown, row)
        }))
      })
    }),

    /** Puts a space on the site, at the end of a section, of the default one, or of the root. */
    add: change([OrganizationId, SiteId, AddSiteSpace], function* (organization, id, input) {
      const site = yield* editing.open(organization, id, "edit")
      const { structure } = site
      const section = input.sectionId ?? structure.site.defaultSection
      if (section !== null && !structure.sectionById.has(section)) {
        return yield* InvalidInput.at("sectionId", "is no section of the site")
      }
      const space = yield* editing.space(site, input.spaceId)
      const row = yield* editing.siteSpaceRow(structure, section, space)
      return yield* commit(site, Edits.addSiteSpace(structure, row), row.id)
    }),

    /** Changes what is given. */
    update: change(
      [OrganizationId, SiteId, SiteSpaceId, UpdateSiteSpace],
      function* (organization, id, siteSpaceId, input) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        const { section } = yield* find(structure, siteSpaceId)
        yield* editing.checkPath(Structures.siteSpacesIn(structure, section), siteSpaceId, input.path)
        yield* editing.checkCondition(id, input.condition)
        return yield* commit(site, Edits.change(structure, "siteSpaces", siteSpaceId, input), siteSpaceId)
      }
    ),

    /** Takes the space off the site. It stays a space. */
    remove: change([OrganizationId, SiteId, SiteSpaceId], function* (organization, id, siteSpaceId) {
      const { structure } = yield* editing.open(organization, id, "edit")
      yield* find(structure, siteSpaceId)
      yield* editing.save(structure, Edits.removeSiteSpaces(structure, new Set([siteSpaceId])))
    }),

    /** Moves the site-space among those of its section, or of the root. */
    move: change(
      [OrganizationId, SiteId, SiteSpaceId, MoveSiteSpace],
      function* (organization, id, siteSpaceId, { position }) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        const { section } = yield* find(structure, siteSpaceId)
        const key = yield* editing.place(
          Structures.keyAt(
            Structures.siteSpacesIn(structure, section),
            siteSpaceId,
            position?.before?.siteSpace,
            position?.after?.siteSpace
          )
        )
        return yield* commit(
          site,
          Edits.change(structure, "siteSpaces", siteSpaceId, { position: key }),
          siteSpaceId
        )
      }
    )
  }
})

/** See the module's comment. */
export class SiteSpaces extends Context.Service<SiteSpaces, Effect.Success<typeof makeSiteSpaces>>()(
  "@lectern/core/SiteSpaces"
) {
  static readonly layer: Layer.Layer<SiteSpaces, never, Records | SiteEditing | Visitors> = Layer.effect(
    SiteSpaces,
    makeSiteSpaces
  )
}
