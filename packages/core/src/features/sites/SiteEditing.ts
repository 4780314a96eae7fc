/** Authorization, loading, validation and storing of a site's structure, shared by the operations on it. */

import {
  Access,
  type AccessError,
  type Authorization,
  type Caller,
  type CurrentUser,
  type Granted,
  type GrantedReader,
  type GrantedRecords,
  loadStructure,
  type Rule,
  roleOn,
  spaceForVisitor
} from "@lectern/access"
import { Ids, makeLinkBase, type StorageUnavailable } from "@lectern/kernel"
import {
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SpaceRow,
  SiteStructureRules as Structures,
  siteSettings
} from "@lectern/kernel/tables"
import { parseStoredCondition } from "@lectern/markdown/conditions"
import { freeAmong, slugOf } from "@lectern/markdown/text"
import { Conflict, type Forbidden, type Gone, InvalidInput, NotFound } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import {
  type OrganizationAction,
  organizationActions,
  type SiteAction,
  type SpaceAction,
  siteActions
} from "@lectern/model/roles"
import type { SiteSectionGroupId } from "@lectern/model/sites"
import { type SiteId, type SiteSectionId, SiteSpaceId, unknownClaim } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { PresentableStructure } from "./StructureView.ts"
import { loadSpacesOnSite, saveEdit } from "./structureStore.ts"

/** A site with its whole structure, on which the caller may perform an action. */
export interface OpenSite extends Granted {
  readonly caller: Caller
  readonly structure: Structures.Structure
}

/** A site with its structure, and the records to change it. */
export interface EditableSite extends OpenSite {
  readonly records: GrantedRecords
}

/** The ids that name a site. */
export interface SiteTarget {
  readonly organization: OrganizationId
  readonly site: SiteId
}

/** Errors of adding a space to a site. `Gone` never occurs: a space in the trash results in `Conflict`. */
export type AddSpaceError = NotFound | Forbidden | Conflict | Gone

/** Whether a space on a site is one that a member cannot see. */
export const isHidden = (caller: Caller, space: SpaceRow): boolean => roleOn(caller, space) === null

/** Returns the columns of a space that belong to the site, for visitors and for members who cannot see the space. */
const spaceOnSite = (visited: Parameters<typeof spaceForVisitor>[0], space: SpaceRow): SpaceRow => {
  const seen = spaceForVisitor(visited, space)
  return visited.structure.site.published ? seen : { ...seen, published: null }
}

/** Lists actions on the spaces that the input names, which the operation requires too. */
const byInputOf = (actions: ReadonlyArray<SpaceAction>) =>
  actions.length === 0 ? {} : { byInput: actions.map((action) => `space.${action}`) }

const siteRule = (action: SiteAction, ...byInput: ReadonlyArray<SpaceAction>): Rule => ({
  kind: "policy",
  action: `site.${action}`,
  role: siteActions[action],
  ...byInputOf(byInput)
})

const openSite = Effect.fnUntraced(function* (
  access: Access["Service"],
  { organization, site: id }: SiteTarget,
  action: SiteAction
): Effect.fn.Return<OpenSite, AccessError | StorageUnavailable, CurrentUser> {
  const { caller, site, grant } = yield* access.site(organization, id, action)
  return { grant, caller, structure: yield* loadStructure(grant.records, site) }
})

/** Authorizations of operations on sites as a whole. */
const siteAuthorizations = (access: Access["Service"]) => ({
  /** Authorizes `organization.<action>`; `byInput` lists actions on the spaces that the input names. */
  organization: (
    action: OrganizationAction,
    ...byInput: ReadonlyArray<SpaceAction>
  ): Authorization<{ readonly organization: OrganizationId }, { readonly caller: Caller }, AccessError> => ({
    rule: {
      kind: "policy",
      action: `organization.${action}`,
      role: organizationActions[action] ?? "guest",
      ...byInputOf(byInput)
    },
    check: ({ organization }) => access.organization(organization, action)
  }),

  /** Authorizes `site.<action>`; `byInput` lists actions on the spaces that the input names. */
  site: (
    action: SiteAction,
    ...byInput: ReadonlyArray<SpaceAction>
  ): Authorization<SiteTarget, OpenSite, AccessError> => ({
    rule: siteRule(action, ...byInput),
    check: (target) => openSite(access, target, action)
  })
})

/** Authorizations of operations on the parts of a site. */
const structureAuthorizations = (access: Access["Service"]) => ({
  /** Authorizes `site.<action>` on a section of the site. */
  section: (
    action: SiteAction
  ): Authorization<
    SiteTarget & { readonly section: SiteSectionId },
    OpenSite & { readonly section: SiteSectionRow },
    AccessError
  > => ({
    rule: siteRule(action),
    check: Effect.fnUntraced(function* (target) {
      const opened = yield* openSite(access, target, action)
      const section = opened.structure.sectionById.get(target.section)
      return section === undefined ? yield* NotFound.of("section") : { ...opened, section }
    })
  }),

  /** Authorizes `site.<action>` on a section group of the site. */
  sectionGroup: (
    action: SiteAction
  ): Authorization<
    SiteTarget & { readonly sectionGroup: SiteSectionGroupId },
    OpenSite & { readonly sectionGroup: SiteSectionGroupRow },
    AccessError
  > => ({
    rule: siteRule(action),
    check: Effect.fnUntraced(function* (target) {
      const opened = yield* openSite(access, target, action)
      const sectionGroup = opened.structure.groups.find(({ id }) => id === target.sectionGroup)
      return sectionGroup === undefined ? yield* NotFound.of("section group") : { ...opened, sectionGroup }
    })
  }),

  /** Authorizes `site.<action>` on a section of a section group of the site. */
  sectionInGroup: (
    action: SiteAction
  ): Authorization<
    SiteTarget & { readonly sectionGroup: SiteSectionGroupId; readonly section: SiteSectionId },
    OpenSite,
    AccessError
  > => ({
    rule: siteRule(action),
    check: Effect.fnUntraced(function* (target) {
      const opened = yield* openSite(access, target, action)
      const { groups, sectionById } = opened.structure
      if (!groups.some(({ id }) => id === target.sectionGroup)) return yield* NotFound.of("section group")
      return sectionById.get(target.section)?.sectionGroup === target.sectionGroup
        ? opened
        : yield* NotFound.of("section")
    })
  }),

  /** Authorizes `site.<action>` on a site-space of the site; `byInput` lists actions on its space. */
  siteSpace: (
    action: SiteAction,
    ...byInput: ReadonlyArray<SpaceAction>
  ): Authorization<
    SiteTarget & { readonly siteSpace: SiteSpaceId },
    OpenSite & { readonly siteSpace: SiteSpaceRow },
    AccessError
  > => ({
    rule: siteRule(action, ...byInput),
    check: Effect.fnUntraced(function* (target) {
      const opened = yield* openSite(access, target, action)
      const siteSpace = opened.structure.siteSpaces.find(({ id }) => id === target.siteSpace)
      return siteSpace === undefined ? yield* NotFound.of("site space") : { ...opened, siteSpace }
    })
  })
})

/** Stores the difference between two structures, and returns the second. */
const save = (
  records: GrantedRecords,
  before: Structures.Structure,
  after: Structures.Structure
): Effect.Effect<Structures.Structure, StorageUnavailable> => saveEdit(records, before, after)

/**
 * Validates a condition against the adaptive schema of the site, if it has one. Fails with `InvalidInput` if the
 * condition names a claim that the schema does not declare.
 */
const checkCondition = Effect.fnUntraced(function* (
  records: GrantedReader,
  site: SiteId,
  condition: string | null | undefined
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  if (condition === null || condition === undefined) return
  const settings = yield* records.get(siteSettings, { site }, ["adaptiveSchema"])
  const expression = parseStoredCondition(condition)
  if (settings?.adaptiveSchema == null || expression === undefined) return
  const unknown = unknownClaim(settings.adaptiveSchema.jsonSchema, expression)
  if (unknown !== undefined) {
    return yield* InvalidInput.at(
      "condition",
      `names the claim ${unknown}, which the adaptive schema of the site does not declare`
    )
  }
})

/** Fails with `Conflict` if a sibling of the item `id` has the requested path. */
const checkPath = (
  siblings: ReadonlyArray<{ readonly id: string; readonly path: string }>,
  id: string,
  path: string | undefined
): Effect.Effect<void, Conflict> =>
  path !== undefined && siblings.some((row) => row.path === path && row.id !== id)
    ? Effect.fail(
        new Conflict({
          reason: "PathTaken",
          message: `A sibling has the path "${path}". Choose another path.`
        })
      )
    : Effect.void

/** Fails with `InvalidInput` if the requested position does not exist; otherwise returns its key. */
const requirePosition = (key: string | Structures.InvalidPosition): Effect.Effect<string, InvalidInput> =>
  typeof key === "string" ? Effect.succeed(key) : Effect.fail(InvalidInput.at(key.field, key.message))

const makeSiteEditing = Effect.gen(function* () {
  const access = yield* Access
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase

  return {
    /** Authorizations of operations on sites. Their grants carry the site with its whole structure. */
    allow: { ...siteAuthorizations(access), ...structureAuthorizations(access) },
    save,
    checkCondition,
    checkPath,
    requirePosition,

    /** Adds the spaces on the site, loaded with one query, and the URL of the published site, for the views. */
    loadForView: Effect.fnUntraced(function* (
      { caller, structure, grant }: OpenSite,
      shareKey?: string
    ): Effect.fn.Return<PresentableStructure, StorageUnavailable> {
      const { site } = structure
      const base = yield* linkBase
      const spaces = yield* loadSpacesOnSite(grant.records, site.id)
      return {
        structure,
        caller,
        base,
        spaces: new Map(
          [...spaces].map(([id, space]) => [
            id,
            caller.isVisitor === true || isHidden(caller, space)
              ? spaceOnSite({ structure, shareKey }, space)
              : space
          ])
        ),
        root: site.published ? Structures.rootOf(base, site, shareKey) : undefined
      }
    }),

    /**
     * Loads a space to add to the site. Fails with `NotFound` if the caller cannot see it or it belongs to another
     * organization, with `Forbidden` if the caller's role on it is lower than `create`, and with `Conflict` if it is in
     * the trash or on the site already, or the site has the maximum number of spaces.
     */
    loadSpaceToAdd: Effect.fnUntraced(function* (
      structure: Structures.Structure,
      id: SpaceId
    ): Effect.fn.Return<SpaceRow, AddSpaceError | StorageUnavailable, CurrentUser> {
      const { space } = yield* access.space(id, "publish")
      if (space.organization !== structure.site.organization) return yield* NotFound.of("space")
      if (structure.siteSpaces.some((row) => row.space === id)) {
        return yield* new Conflict({
          reason: "SpaceAlreadyOnSite",
          message: "The space is on the site already. A site can have each space only once."
        })
      }
      if (structure.siteSpaces.length >= Structures.siteLimits.siteSpaces) {
        return yield* new Conflict({
          reason: "LimitReached",
          message: `The site has ${Structures.siteLimits.siteSpaces} spaces, the maximum. Remove a space first.`
        })
      }
      return space
    }),

    /** Builds the row of a site-space at the end of a section, or of the root for null, with a path unique there. */
    newSiteSpace: Effect.fnUntraced(function* (
      structure: Structures.Structure,
      section: SiteSectionId | null,
      space: SpaceRow
    ): Effect.fn.Return<SiteSpaceRow> {
      const siblings = Structures.siteSpacesIn(structure, section)
      return {
        id: SiteSpaceId.make(yield* ids.next),
        organization: structure.site.organization,
        site: structure.site.id,
        section,
        space: space.id,
        position: Structures.keyAtEnd(siblings),
        path: freeAmong(new Set(siblings.map(({ path }) => path)), slugOf(space.title, "space")),
        condition: null
      }
    })
  }
})

/** The methods of {@link SiteEditing}. */
export interface SiteEditingService extends Effect.Success<typeof makeSiteEditing> {}

/** Authorizes operations on the structures of sites, and loads, validates and stores these structures. */
export class SiteEditing extends Context.Service<SiteEditing, SiteEditingService>()(
  "@lectern/core/SiteEditing"
) {
  static readonly layer: Layer.Layer<SiteEditing, never, Access | Ids> = Layer.effect(
    SiteEditing,
    makeSiteEditing
  )
}
