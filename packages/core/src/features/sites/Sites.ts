/** Operations on docs sites. */

import {
  type Access,
  type AccessError,
  type Caller,
  type Command,
  Locks,
  Operations,
  type Query,
  whereNotTrashed,
  whereVisibleSite
} from "@lectern/access"
import { Encryption, Ids, makeLinkBase, now, type Records, readPage, Where } from "@lectern/kernel"
import {
  addSiteSpace,
  grants,
  normalizeDefaults,
  organizations,
  privateKeyPlace,
  type SiteRow,
  type SiteSpaceRow,
  SiteStructureRules as Structures,
  siteSettings,
  siteSpaces,
  sites
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { folded } from "@lectern/model/schema"
import { CreateSite, ListSites, type Site, SiteId, UpdateSite } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Spaces } from "../spaces/Spaces.ts"
import { makePrivateKey } from "./privateKey.ts"
import { type AddSpaceError, type EditableSite, SiteEditing } from "./SiteEditing.ts"
import { presentSite, presentSites } from "./SiteView.ts"
import { addressOf, hostOfAddress, makeClaimAddress } from "./siteAddresses.ts"
import { loadSpacesOnSite, refreshPublishedUrls } from "./structureStore.ts"

/** The title of a site that is created without one. */
const defaultTitle = "Untitled site"

/** The maximum length of the title of a space, in characters. Titles of sites can be longer. */
const maximumSpaceTitleLength = 50

/**
 * Operations on docs sites, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization or a site
 * that the caller cannot see, and with `Forbidden` if the caller's role is too low.
 */
export interface SitesOperations {
  /**
   * Lists the sites of an organization that the caller can see, newest first: all for members with a role, and for guests the sites
   * that are shared with them. Filters by a space on the site, by a part of the title (ignoring case) and by publication.
   */
  readonly list: Query<{ organization: OrganizationId; input?: ListSites }, Page<Site>, AccessError>
  /**
   * Creates an unpublished site, with up to 100 existing spaces, with a new space of the same title, or empty. Requires
   * the role `create` in the organization and on each space. Fails with `NotFound` if the caller cannot see one of the
   * spaces, and with `Conflict` if one is in the trash.
   */
  readonly create: Command<{ organization: OrganizationId; input?: CreateSite }, Site, AddSpaceError>
  /** Returns the site. */
  readonly get: Query<{ organization: OrganizationId; site: SiteId }, Site, AccessError>
  /**
   * Updates the given fields; requires the role `create`. An address at a host of other sites requires it on each of them, and the role
   * `admin` on all sites of the host if one has a script. Fails with `InvalidInput` if a default is not a section or a
   * site-space of the site, and with `Conflict` if another site of the organization has the basename.
   */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; input?: UpdateSite },
    Site,
    AccessError | Conflict
  >
  /**
   * Permanently removes the site with its sections, settings and share links; requires the role `admin`. Its spaces are
   * not removed. If the site is the default content of the organization, that setting is cleared.
   */
  readonly remove: Command<{ organization: OrganizationId; site: SiteId }, void, AccessError>
  /** Publishes the site to the audience of its visibility; requires the role `create`. It is idempotent. */
  readonly publish: Command<{ organization: OrganizationId; site: SiteId }, Site, AccessError>
  /** Unpublishes the site, so that visitors can no longer see it; requires the role `create`. It is idempotent. */
  readonly unpublish: Command<{ organization: OrganizationId; site: SiteId }, Site, AccessError>
}

/** The columns that an update changes. */
const changesOf = (input: UpdateSite): Partial<SiteRow> => ({
  ...(input.title === undefined ? {} : { title: input.title, folded: folded(input.title) }),
  ...(input.visibility === undefined ? {} : { visibility: input.visibility }),
  ...(input.basename === undefined ? {} : { basename: input.basename }),
  ...(input.adaptiveContent === undefined ? {} : { adaptive: input.adaptiveContent.enabled }),
  ...(input.agentsContext === undefined ? {} : { agentsContext: input.agentsContext }),
  ...(input.proxy === undefined ? {} : { proxy: input.proxy === null ? null : addressOf(input.proxy) })
})

/** Applies the defaults of an update. Fails with `InvalidInput` if they are not on the site. */
const withDefaults = Effect.fnUntraced(function* (
  structure: Structures.Structure,
  { defaultSiteSection, defaultSiteSpace }: UpdateSite
): Effect.fn.Return<Structures.Structure, InvalidInput> {
  let { site, sections } = structure
  if (defaultSiteSection !== undefined) {
    if (!structure.sectionById.has(defaultSiteSection)) {
      return yield* InvalidInput.at("defaultSiteSection", "must be the id of a section of the site")
    }
    site = { ...site, defaultSection: defaultSiteSection }
  }
  if (defaultSiteSpace !== undefined) {
    const section = site.defaultSection
    if (!Structures.siteSpacesIn(structure, section).some(({ id }) => id === defaultSiteSpace)) {
      return yield* InvalidInput.at(
        "defaultSiteSpace",
        section === null
          ? "must be the id of a site-space of the site"
          : "must be the id of a site-space in the default section"
      )
    }
    if (section === null) site = { ...site, defaultSiteSpace }
    else sections = sections.map((row) => (row.id === section ? { ...row, defaultSiteSpace } : row))
  }
  return normalizeDefaults(structure, { ...structure, site, sections })
})

const presentOne = (
  base: string,
  caller: Caller,
  { site, sections, siteSpaces }: Structures.Structure
): Site =>
  presentSite(base, caller, site, {
    sections: sections.length,
    siteSpaces: siteSpaces.length
  })

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  return {
    list: query(
      "Sites.list",
      {
        parameters: { organization: OrganizationId, input: ListSites },
        authorize: allow.organization("listSites")
      },
      function* ({ organization, input }, { caller, records }) {
        const { space, title, published } = input
        return yield* readPage(records, input, {
          table: sites,
          list: ["sites", organization, space, title, published],
          where: Where.and<SiteRow>(
            Where.eq("organization", organization),
            whereVisibleSite(caller),
            title === undefined ? Where.all : Where.contains("folded", folded(title)),
            published === undefined ? Where.all : Where.eq("published", published),
            space === undefined
              ? Where.all
              : records.inSelect(
                  "id",
                  siteSpaces,
                  "site",
                  Where.and<SiteSpaceRow>(Where.eq("space", space), whereNotTrashed(records))
                )
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.flatMap(linkBase, (base) => presentSites(records, base, caller, rows))
        })
      }
    ),

    get: query(
      "Sites.get",
      { parameters: { organization: OrganizationId, site: SiteId }, authorize: allow.site("view") },
      function* (_, { caller, site, records }) {
        return (yield* presentSites(records, yield* linkBase, caller, [site]))[0]!
      }
    )
  }
})

const makeLifecycle = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const editing = yield* SiteEditing
  const spaces = yield* Spaces
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const random = yield* SecureRandom.SecureRandom
  const encryption = yield* Encryption

  return {
    create: command(
      "Sites.create",
      {
        parameters: { organization: OrganizationId, input: CreateSite },
        authorize: editing.allow.organization("create", "publish"),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const title = input.title ?? defaultTitle
        const site: SiteRow = {
          id: SiteId.make(yield* ids.next),
          organization,
          type: input.type ?? "basic",
          title,
          folded: folded(title),
          icon: null,
          basename: null,
          proxy: null,
          hostname: null,
          visibility: input.visibility ?? "public",
          published: false,
          adaptive: false,
          agentsContext: "included",
          defaultSection: null,
          defaultSiteSpace: null,
          createdAt: yield* now
        }
        const { spaces: requested = [] } = input
        const spaceIds =
          requested === "new"
            ? [
                (yield* spaces.create.decoded({
                  organization,
                  input: { title: Array.from(title).slice(0, maximumSpaceTitleLength).join("") }
                })).id
              ]
            : [...new Set(requested)]
        yield* records.insert(sites, site)
        yield* records.insert(siteSettings, {
          organization,
          site: site.id,
          customization: null,
          adaptiveSchema: null,
          privateKey: yield* encryption.encrypt(yield* makePrivateKey(random), privateKeyPlace(site.id)),
          fallbackURL: null
        })
        const empty = Structures.buildStructure({ site, groups: [], sections: [], siteSpaces: [], links: [] })
        let structure = empty
        for (const id of spaceIds) {
          const space = yield* editing.loadSpaceToAdd(structure, SpaceId.make(id))
          structure = addSiteSpace(structure, yield* editing.newSiteSpace(structure, null, space))
        }
        return presentOne(yield* linkBase, caller, yield* editing.save(records, empty, structure))
      }
    ),

    remove: command(
      "Sites.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: allow.site("remove"),
        locks: Locks.organization
      },
      function* ({ organization, site: id }, { site, records }) {
        const spaceIds = [...(yield* loadSpacesOnSite(records, id)).keys()]
        yield* records.remove(siteSpaces, Where.eq("site", id))
        yield* records.remove(grants, Where.eq("target", id))
        yield* records.remove(sites, Where.eq("id", id))
        const row = yield* records.get(organizations, { id: organization }, ["defaultContent"])
        if (row?.defaultContent?.site === id) {
          yield* records.update(organizations, Where.eq("id", organization), { defaultContent: null })
        }
        if (site.published) yield* refreshPublishedUrls(records, spaceIds)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const editing = yield* SiteEditing
  const linkBase = yield* makeLinkBase
  const claimAddress = yield* makeClaimAddress

  const setPublished = Effect.fnUntraced(function* (
    { structure, caller, records }: EditableSite,
    published: boolean
  ) {
    const { site } = structure
    const after = { ...structure, site: site.published === published ? site : { ...site, published } }
    return presentOne(yield* linkBase, caller, yield* editing.save(records, structure, after))
  })

  return {
    update: command(
      "Sites.update",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: UpdateSite },
        authorize: editing.allow.site("edit"),
        locks: (target) => Locks.siteAddress(target, hostOfAddress(target.input?.proxy))
      },
      function* ({ organization, site: id, input }, { caller, structure, records }) {
        const { basename } = input
        if (basename !== undefined) {
          const taken = yield* records.first(sites, {
            where: Where.and<SiteRow>(
              Where.eq("organization", organization),
              Where.eq("basename", basename),
              Where.not(Where.eq("id", id))
            )
          })
          if (taken !== undefined) {
            return yield* new Conflict({
              reason: "BasenameTaken",
              message: `Another site of the organization has the basename "${basename}". Choose another basename.`
            })
          }
        }
        const changes = changesOf(input)
        const claimed = { ...structure, site: yield* claimAddress(records, caller, structure.site, changes) }
        const after = yield* withDefaults(claimed, input)
        const site = { ...after.site, ...changes }
        return presentOne(yield* linkBase, caller, yield* editing.save(records, claimed, { ...after, site }))
      }
    ),

    publish: command(
      "Sites.publish",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: editing.allow.site("edit"),
        locks: Locks.organization
      },
      function* (_, site) {
        return yield* setPublished(site, true)
      }
    ),

    unpublish: command(
      "Sites.unpublish",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: editing.allow.site("edit"),
        locks: Locks.organization
      },
      function* (_, site) {
        return yield* setPublished(site, false)
      }
    )
  }
})

const makeSites = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeLifecycle), ...(yield* makeEdits) }
})

/** Operations on docs sites: see {@link SitesOperations}. */
export class Sites extends Context.Service<Sites, SitesOperations>()("@lectern/core/Sites") {
  static readonly layer: Layer.Layer<
    Sites,
    never,
    Access | Operations | SiteEditing | Spaces | Ids | Encryption | Records
  > = Layer.effect(Sites, makeSites).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
