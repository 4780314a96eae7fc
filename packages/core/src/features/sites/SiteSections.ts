/** What callers do with the sections of a site. */
import { Context, Effect, Layer } from "effect"
import { Conflict, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { pageOfShort } from "../../kernel/pagination/paginate.ts"
import { freeAmong, slugOf } from "../../kernel/schema/Slug.ts"
import { Records } from "../../kernel/storage/index.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { SiteId, SiteSectionId } from "../../model/sites/Site.ts"
import {
  AddSiteSection,
  ListSiteSections,
  MoveSiteSection,
  type SiteSectionRow,
  UpdateSiteSection
} from "../../model/sites/SiteSection.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type OpenSite, SiteEditing } from "./SiteEditing.ts"
import { section as present } from "./StructureView.ts"
import * as Edits from "./structureEdits.ts"
import { Visitors } from "./Visitors.ts"

/** The shortest title of a section, in characters; a space may have a shorter one. */
const shortestTitle = 2
const defaultTitle = "Untitled"

const makeSiteSections = Effect.gen(function* () {
  const records = yield* Records
  const editing = yield* SiteEditing
  const visitors = yield* Visitors
  const ids = yield* Ids

  const change = command(records)

  const find = (
    structure: Structures.Structure,
    id: SiteSectionId
  ): Effect.Effect<SiteSectionRow, NotFound> => {
    const row = structure.sectionById.get(id)
    return row === undefined ? Effect.fail(NotFound.of("section")) : Effect.succeed(row)
  }

  /** Stores the next structure, and shows a section of it. */
  const commit = Effect.fnUntraced(function* (
    site: OpenSite,
    after: Structures.Structure,
    id: SiteSectionId
  ) {
    const structure = yield* editing.save(site.structure, after)
    return present(yield* editing.shown({ ...site, structure }), structure.sectionById.get(id)!)
  })

  /** A row for a section at the end of the top level, with a path of its own. */
  const newRow = Effect.fnUntraced(function* (
    structure: Structures.Structure,
    title: string,
    icon: string | null
  ) {
    const row: SiteSectionRow = {
      id: SiteSectionId.make(yield* ids.next),
      site: structure.site.id,
      sectionGroup: null,
      position: Edits.keyAtTheEnd(structure),
      title,
      description: null,
      path: freeAmong(new Set(structure.sections.map(({ path }) => path)), slugOf(title, "section")),
      condition: null,
      icon,
      defaultSiteSpace: null
    }
    return row
  })

  return {
    /** The sections of a site in its order, those of groups too; with a key or a token, those that a visitor is shown. */
    list: query([OrganizationId, SiteId, ListSiteSections], function* (organization, id, input) {
      const { structure, shareKey, caller } = yield* visitors.see(organization, id, input)
      const shown = yield* editing.shown({ caller, structure }, shareKey)
      return yield* pageOfShort(input, {
        list: ["sections", id, input.shareKey, input.visitorAuthToken],
        items: Structures.sectionsInOrder(structure).map((row) => ({
          place: Structures.placeOf(structure, row),
          id: row.id,
          item: present(shown, row)
        }))
      })
    }),

    /**
     * Adds a section with a space in it, at the end. The first of a site that has site-spaces at its root makes a
     * section of those before, titled as the site, which is the default.
     */
    add: change([OrganizationId, SiteId, AddSiteSection], function* (organization, id, input) {
      const site = yield* editing.open(organization, id, "edit")
      const space = yield* editing.space(site, input.spaceId)
      let { structure } = site
      if (structure.sections.length >= Structures.maximum.sections) {
        return yield* new Conflict({ message: `A site has at most ${Structures.maximum.sections} sections.` })
      }
      if (structure.siteSpaces.length > 0 && structure.sections.length === 0) {
        structure = Edits.wrapRoot(structure, yield* newRow(structure, structure.site.title, null))
      }
      const given = input.title ?? space.title
      const title = Array.from(given).length < shortestTitle ? defaultTitle : given
      const row = yield* newRow(structure, title, input.icon ?? null)
      structure = Edits.addSection(structure, row)
      structure = Edits.addSiteSpace(structure, yield* editing.siteSpaceRow(structure, row.id, space))
      return yield* commit(site, structure, row.id)
    }),

    /** Changes what is given. */
    update: change(
      [OrganizationId, SiteId, SiteSectionId, UpdateSiteSection],
      function* (organization, id, sectionId, input) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        yield* find(structure, sectionId)
        yield* editing.checkPath(structure.sections, sectionId, input.path)
        yield* editing.checkCondition(id, input.condition)
        const { defaultSiteSpace } = input
        const inside = Structures.siteSpacesIn(structure, sectionId)
        if (defaultSiteSpace !== undefined && !inside.some((row) => row.id === defaultSiteSpace)) {
          return yield* InvalidInput.at("defaultSiteSpace", "is not in the section")
        }
        return yield* commit(site, Edits.change(structure, "sections", sectionId, input), sectionId)
      }
    ),

    /** Removes the section with its site-spaces. Their spaces stay. */
    remove: change([OrganizationId, SiteId, SiteSectionId], function* (organization, id, sectionId) {
      const { structure } = yield* editing.open(organization, id, "edit")
      yield* find(structure, sectionId)
      yield* editing.save(structure, Edits.removeSection(structure, sectionId))
    }),

    /** Moves the section among those beside it: of its group, or of the top level, where a group can stand beside it. */
    move: change(
      [OrganizationId, SiteId, SiteSectionId, MoveSiteSection],
      function* (organization, id, sectionId, { position }) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        const row = yield* find(structure, sectionId)
        const siblings =
          row.sectionGroup === null
            ? Structures.topLevel(structure)
            : Structures.sectionsIn(structure, row.sectionGroup)
        const key = yield* editing.place(
          Structures.keyAt(siblings, sectionId, position?.before?.siteSection, position?.after?.siteSection)
        )
        return yield* commit(
          site,
          Edits.change(structure, "sections", sectionId, { position: key }),
          sectionId
        )
      }
    )
  }
})

/** See the module's comment. */
export class SiteSections extends Context.Service<SiteSections, Effect.Success<typeof makeSiteSections>>()(
  "@lectern/core/SiteSections"
) {
  static readonly layer: Layer.Layer<SiteSections, never, Records | SiteEditing | Visitors | Ids> =
    Layer.effect(SiteSections, makeSiteSections)
}
