/** What callers do with the groups of a site's sections. */
import { Context, Effect, Layer } from "effect"
import { Conflict, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { pageOfShort } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records } from "../../kernel/storage/index.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { SiteId, SiteSectionId } from "../../model/sites/Site.ts"
import {
  AddSectionToGroup,
  AddSiteSectionGroup,
  MoveSiteSectionGroup,
  SiteSectionGroupId,
  type SiteSectionGroupRow,
  UpdateSiteSectionGroup
} from "../../model/sites/SiteSection.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type OpenSite, SiteEditing } from "./SiteEditing.ts"
import { group as present } from "./StructureView.ts"
import * as Edits from "./structureEdits.ts"

const makeSiteSectionGroups = Effect.gen(function* () {
  const records = yield* Records
  const editing = yield* SiteEditing
  const ids = yield* Ids

  const change = command(records)

  const find = (
    { groups }: Structures.Structure,
    id: SiteSectionGroupId
  ): Effect.Effect<SiteSectionGroupRow, NotFound> => {
    const row = groups.find((group) => group.id === id)
    return row === undefined ? Effect.fail(NotFound.of("section group")) : Effect.succeed(row)
  }

  /** Stores the next structure, and shows a group of it. */
  const commit = Effect.fnUntraced(function* (
    site: OpenSite,
    after: Structures.Structure,
    id: SiteSectionGroupId
  ) {
    const structure = yield* editing.save(site.structure, after)
    return present(yield* editing.shown({ ...site, structure }), yield* find(structure, id))
  })

  return {
    /** The groups of a site, in its order. */
    list: query([OrganizationId, SiteId, PageQuery], function* (organization, id, input) {
      const site = yield* editing.open(organization, id, "view")
      const shown = yield* editing.shown(site)
      return yield* pageOfShort(input, {
        list: ["section groups", id],
        items: site.structure.groups.map((row) => ({
          place: row.position,
          id: row.id,
          item: present(shown, row)
        }))
      })
    }),

    /** Makes a group at the end of the top level, of sections that are taken from where they are. */
    add: change([OrganizationId, SiteId, AddSiteSectionGroup], function* (organization, id, input) {
      const site = yield* editing.open(organization, id, "edit")
      const { structure } = site
      const sections = [...new Set(input.sections)]
      const unknown = (input.sections ?? []).flatMap((section, index) =>
        structure.sectionById.has(section)
          ? []
          : [{ path: `sections.${index}`, message: "is no section of the site" }]
      )
      if (unknown.length > 0) return yield* InvalidInput.of(unknown)
      if (structure.groups.length >= Structures.maximum.groups) {
        return yield* new Conflict({ message: `A site has at most ${Structures.maximum.groups} groups.` })
      }
      const row: SiteSectionGroupRow = {
        id: SiteSectionGroupId.make(yield* ids.next),
        site: id,
        position: Edits.keyAtTheEnd(structure),
        title: input.title,
        icon: input.icon ?? null
      }
      return yield* commit(site, Edits.addGroup(structure, row, sections), row.id)
    }),

    /** Changes what is given. */
    update: change(
      [OrganizationId, SiteId, SiteSectionGroupId, UpdateSiteSectionGroup],
      function* (organization, id, groupId, input) {
        const site = yield* editing.open(organization, id, "edit")
        yield* find(site.structure, groupId)
        return yield* commit(site, Edits.change(site.structure, "groups", groupId, input), groupId)
      }
    ),

    /** Removes the group. Its sections stay, where it was. */
    remove: change([OrganizationId, SiteId, SiteSectionGroupId], function* (organization, id, groupId) {
      const { structure } = yield* editing.open(organization, id, "edit")
      yield* find(structure, groupId)
      yield* editing.save(structure, Edits.removeGroup(structure, groupId))
    }),

    /** Takes a section into the group, to its end, from wherever it is. */
    addSection: change(
      [OrganizationId, SiteId, SiteSectionGroupId, AddSectionToGroup],
      function* (organization, id, groupId, { sectionId }) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        yield* find(structure, groupId)
        if (!structure.sectionById.has(sectionId)) {
          return yield* InvalidInput.at("sectionId", "is no section of the site")
        }
        return yield* commit(site, Edits.moveToGroup(structure, groupId, [sectionId]), groupId)
      }
    ),

    /** Takes a section out of the group, to the place behind it. */
    removeSection: change(
      [OrganizationId, SiteId, SiteSectionGroupId, SiteSectionId],
      function* (organization, id, groupId, sectionId) {
        const { structure } = yield* editing.open(organization, id, "edit")
        yield* find(structure, groupId)
        if (structure.sectionById.get(sectionId)?.sectionGroup !== groupId)
          return yield* NotFound.of("section")
        yield* editing.save(structure, Edits.moveOutOfGroup(structure, groupId, sectionId))
      }
    ),

    /** Moves the group among the groups and sections of the top level. */
    move: change(
      [OrganizationId, SiteId, SiteSectionGroupId, MoveSiteSectionGroup],
      function* (organization, id, groupId, { position }) {
        const site = yield* editing.open(organization, id, "edit")
        const { structure } = site
        yield* find(structure, groupId)
        const key = yield* editing.place(
          Structures.keyAt(Structures.topLevel(structure), groupId, position?.before?.id, position?.after?.id)
        )
        return yield* commit(site, Edits.change(structure, "groups", groupId, { position: key }), groupId)
      }
    )
  }
})

/** See the module's comment. */
export class SiteSectionGroups extends Context.Service<
  SiteSectionGroups,
  Effect.Success<typeof makeSiteSectionGroups>
>()("@lectern/core/SiteSectionGroups") {
  static readonly layer: Layer.Layer<SiteSectionGroups, never, Records | SiteEditing | Ids> = Layer.effect(
    SiteSectionGroups,
    makeSiteSectionGroups
  )
}
