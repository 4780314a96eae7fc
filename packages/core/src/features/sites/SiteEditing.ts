/** What all changes of a site's structure have in common: from the site to what is shown of the new structure. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { Conflict, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { freeAmong, slugOf } from "../../kernel/schema/Slug.ts"
import { Records } from "../../kernel/storage/index.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import type { SiteAction } from "../../model/roles/Policy.ts"
import { unknownClaim } from "../../model/sites/AdaptiveSchema.ts"
import { parsed } from "../../model/sites/conditions/parsedCondition.ts"
import { type SiteId, type SiteSectionId, SiteSpaceId } from "../../model/sites/Site.ts"
import type { SiteSpaceRow } from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { siteSettings } from "../../model/sites/siteSettingsTable.ts"
import type { SpaceId, SpaceRow } from "../../model/spaces/Space.ts"
import { loadStructure } from "../../views/sites/publishedSpaces.ts"
import type { Shown } from "./StructureView.ts"
import * as Store from "./structureStore.ts"

/** A site that is open for an action. */
export interface OpenSite {
  readonly caller: Caller
  readonly structure: Structures.Structure
}

const makeSiteEditing = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl

  return {
    /** A site with its structure, for the action. */
    open: Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, action: SiteAction) {
      const { caller, site } = yield* access.site(organization, id, action)
      return { caller, structure: yield* loadStructure(records, site) } satisfies OpenSite
    }),

    /** What it takes to show a structure: all of its spaces at one go, and the addresses that it has. */
    shown: Effect.fnUntraced(function* ({ caller, structure }: OpenSite, shareKey?: string) {
      const { site } = structure
      const shown: Shown = {
        structure,
        caller,
        base,
        spaces: yield* Store.spacesOn(records, site.id),
        root: site.published ? Structures.rootOf(base, site, shareKey) : undefined
      }
      return shown
    }),

    /** Stores the next structure. */
    save: (before: Structures.Structure, after: Structures.Structure) => Store.save(records, before, after),

    /** A space that is to come on a site: one of the organization, that the caller may publish. */
    space: Effect.fnUntraced(function* ({ structure }: Pick<OpenSite, "structure">, id: SpaceId) {
      const { space } = yield* access.space(id, "publish")
      if (space.organization !== structure.site.organization) return yield* NotFound.of("space")
      if (structure.siteSpaces.some((row) => row.space === id)) {
        return yield* new Conflict({ message: "The space is on the site already." })
      }
      if (structure.siteSpaces.length >= Structures.maximum.siteSpaces) {
        return yield* new Conflict({
          message: `A site has at most ${Structures.maximum.siteSpaces} spaces.`
        })
      }
      return space
    }),

    /** A row for a space, at the end of a section (of the root for null), with a path of its own there. */
    siteSpaceRow: Effect.fnUntraced(function* (
      structure: Structures.Structure,
      section: SiteSectionId | null,
      space: SpaceRow
    ) {
      const siblings = Structures.siteSpacesIn(structure, section)
      const row: SiteSpaceRow = {
        id: SiteSpaceId.make(yield* ids.next),
        site: structure.site.id,
        section,
        space: space.id,
        position: Structures.keyAtEnd(siblings),
        path: freeAmong(new Set(siblings.map(({ path }) => path)), slugOf(space.title, "space")),
        condition: null
      }
      return row
    }),

    /** A condition may name what the adaptive schema has, where there is one. */
    checkCondition: Effect.fnUntraced(function* (site: SiteId, condition: string | null | undefined) {
      if (condition === null || condition === undefined) return
      const settings = yield* records.get(siteSettings, { site }, ["adaptiveSchema"])
      const expression = parsed(condition)
      if (settings?.adaptiveSchema == null || expression === undefined) return
      const unknown = unknownClaim(settings.adaptiveSchema.jsonSchema, expression)
      if (unknown !== undefined) {
        return yield* InvalidInput.at(
          "condition",
          `names ${unknown}, which the adaptive schema does not have`
        )
      }
    }),

    /** A path that is asked for has to be free among its siblings. */
    checkPath: (
      siblings: ReadonlyArray<{ readonly id: string; readonly path: string }>,
      id: string,
      path: string | undefined
    ): Effect.Effect<void, Conflict> =>
      path !== undefined && siblings.some((row) => row.path === path && row.id !== id)
        ? Effect.fail(new Conflict({ message: "Another one beside it has this path." }))
        : Effect.void,

    /** The key of a place, or what is wrong with it. */
    place: (key: string | Structures.Misplaced): Effect.Effect<string, InvalidInput> =>
      typeof key === "string" ? Effect.succeed(key) : Effect.fail(InvalidInput.at(key.field, key.message))
  }
})

/** See the module's comment. */
export class SiteEditing extends Context.Service<SiteEditing, Effect.Success<typeof makeSiteEditing>>()(
  "@lectern/core/SiteEditing"
) {
  static readonly layer: Layer.Layer<SiteEditing, never, Records | Access | Ids> = Layer.effect(
    SiteEditing,
    makeSiteEditing
  )
}
