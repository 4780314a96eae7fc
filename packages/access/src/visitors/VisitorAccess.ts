/**
 * Admits visitors to published sites, by the visibility of the site and their credentials. Missing or invalid
 * credentials result in `NotFound`, as if the site did not exist. Nothing of a decision is stored: a revoked share link,
 * a new private key and an unpublished site take effect on the next request.
 */

import {
  dependOnScopes,
  Encryption,
  makeVersionedCache,
  Records,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  CacheScope,
  filterVisible,
  rootOf,
  type ShareLinkRow,
  type SiteRow,
  type SiteSettingsRow,
  type SpaceRow,
  type Structure,
  shareLinks,
  siteSettings,
  siteSpaceUrl,
  sites,
  spaces
} from "@lectern/kernel/tables"
import type { Claims } from "@lectern/model/conditions"
import { type Forbidden, NotFound } from "@lectern/model/errors"
import type { Role } from "@lectern/model/roles"
import type { SiteVisitor } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { anonymousVisitor, CurrentUser } from "../CurrentUser.ts"
import type { Granted } from "../grants/Grant.ts"
import { organizationGrant } from "../grants/issueGrant.ts"
import { SystemGrant } from "../grants/SystemGrant.ts"
import type { Caller } from "../roles/Access.ts"
import { loadStructure } from "../structures/loadStructure.ts"
import { decryptPrivateKey } from "./decryptPrivateKey.ts"
import {
  isVisibleTo,
  type VisitorCredentials,
  verifyVisitor,
  visibleCustomization,
  visitorContextId
} from "./verifyVisitor.ts"

/** A site with the rows that the admission of a visitor depends on, before their credentials are verified. */
export interface LoadedSite extends Granted {
  readonly structure: Structure
  readonly settings: SiteSettingsRow
  /** The share link of the site with the visitor's share key. */
  readonly link: ShareLinkRow | undefined
}

/** A site, filtered for a visitor or, in a preview, for a member of the organization. */
export interface VisitedSite extends Granted {
  readonly caller: Caller
  /** The sections and site-spaces that the visitor can see. */
  readonly structure: Structure
  readonly settings: SiteSettingsRow
  /** The share key that published URLs contain; undefined if they contain none. */
  readonly shareKey: string | undefined
}

/** A site that a visitor was admitted to. */
export interface AdmittedVisitor extends VisitedSite {
  /** The claims that conditions are evaluated with. */
  readonly claims: Claims
  /** Identifies everything that the content depends on besides the site, as a part of cache keys. */
  readonly contextId: string
}

/** A space on a site that a visitor was admitted to. */
export interface VisitedSpace extends Granted {
  readonly caller: Caller
  readonly space: SpaceRow
  readonly role: Role
  readonly visitor: AdmittedVisitor
}

/** A site that a member can view: what `allow.site("view")` grants. */
export interface ViewableSite extends Granted {
  readonly caller: Caller
  readonly site: SiteRow
}

/** The capacity of the cache of sites, in site-spaces of about 1 kB each. */
const maximumCachedSpaces = 20_000

/**
 * Returns the row of a space with the columns that a visitor can see. Counts of comments and change requests, the collection and other
 * sites with the space stay hidden.
 */
export const spaceForVisitor = (
  { structure, shareKey }: Pick<VisitedSite, "structure" | "shareKey">,
  space: SpaceRow
): SpaceRow => {
  const { site } = structure
  const row = structure.siteSpaces.find((siteSpace) => siteSpace.space === space.id)
  const url = row === undefined ? undefined : siteSpaceUrl(structure, rootOf("", site, shareKey), row)
  return {
    ...space,
    parent: null,
    published: url === undefined ? null : { visibility: site.visibility, url },
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0
  }
}

const makeAdmissions = Effect.gen(function* () {
  const store = yield* Records
  const encryption = yield* Encryption
  const { records } = yield* SystemGrant.make("Loads the sites that visitors name, before they are admitted.")

  const cached = makeVersionedCache<LoadedSite>(store, "visitors", maximumCachedSpaces, {
    sizeOf: ({ structure }) => 1 + structure.siteSpaces.length,
    bySnapshot: true
  })

  const loadRows = Effect.fnUntraced(function* (
    site: SiteRow,
    shareKey: string | undefined
  ): Effect.fn.Return<LoadedSite, StorageUnavailable> {
    const grant = organizationGrant(store, site.organization)
    const [structure, [settings, link]] = yield* grant.records.zipConcurrent(
      loadStructure(grant.records, site),
      grant.records.zipConcurrent(
        grant.records.get(siteSettings, { site: site.id }),
        shareKey === undefined
          ? Effect.succeed(undefined)
          : grant.records.first(shareLinks, {
              where: Where.and<ShareLinkRow>(Where.eq("site", site.id), Where.eq("key", shareKey))
            })
      )
    )
    return { grant, structure, link, settings: settings! }
  })

  /** Loads a site that a visitor names. It verifies no credentials. Fails with `NotFound` if it does not exist. */
  const load = ({
    organization,
    site: id,
    shareKey
  }: SiteVisitor): Effect.Effect<LoadedSite, NotFound | StorageUnavailable> =>
    cached(
      { key: JSON.stringify([organization, id, shareKey]), scopes: () => [CacheScope.site(id)] },
      Effect.fnUntraced(function* () {
        const site = yield* records.get(sites, { id })
        if (site?.organization !== organization) return yield* NotFound.of("site")
        return yield* loadRows(site, shareKey)
      })
    )

  /** Filters a loaded site for a visitor; undefined if it does not admit them. */
  const admitTo = Effect.fnUntraced(function* (
    { grant, structure, link, settings }: LoadedSite,
    credentials: VisitorCredentials
  ): Effect.fn.Return<AdmittedVisitor | undefined, StorageUnavailable> {
    const { site } = structure
    const claims = yield* verifyVisitor(
      { site, settings, link },
      credentials,
      decryptPrivateKey(encryption, site.id, settings)
    )
    if (claims === undefined) return undefined
    const visible = filterVisible(structure, isVisibleTo(claims))
    const shareKey = site.visibility === "share-link" ? link?.key : undefined
    const caller: Caller = {
      user: anonymousVisitor.id,
      organization: site.organization,
      role: null,
      granted: new Map(visible.siteSpaces.map(({ space }) => [space, "read"])),
      ssoRequired: false,
      secondFactorRequired: false,
      isVisitor: true
    }
    const contextId = visitorContextId(site, shareKey, claims)
    const { customization } = settings
    const seen = {
      ...settings,
      customization: customization === null ? null : visibleCustomization(customization, claims)
    }
    return { grant, caller, structure: visible, settings: seen, shareKey, claims, contextId }
  })

  const admit = Effect.fnUntraced(function* (
    visitor: SiteVisitor
  ): Effect.fn.Return<AdmittedVisitor, NotFound | StorageUnavailable> {
    const admitted = yield* admitTo(yield* load(visitor), visitor)
    return admitted ?? (yield* NotFound.of("site"))
  })

  /** Admits a client without a token, who has further credentials at most; undefined if the site does not admit them. */
  const admitEveryone = (
    { organization, site }: Pick<SiteVisitor, "organization" | "site">,
    input: VisitorCredentials = {}
  ): Effect.Effect<AdmittedVisitor | undefined, StorageUnavailable> =>
    Effect.catchTag(admit({ organization, site, ...input }), "NotFound", () => Effect.succeed(undefined))

  return { loadRows, load, admitTo, admit, admitEveryone }
})

const makeVisitorAccess = Effect.gen(function* () {
  const { load, admitTo, admit, admitEveryone, loadRows } = yield* makeAdmissions

  const resolvePublished = Effect.fnUntraced(function* (
    { caller, site }: ViewableSite,
    credentials: VisitorCredentials
  ): Effect.fn.Return<AdmittedVisitor, NotFound | StorageUnavailable> {
    const admitted = yield* admitTo(yield* loadRows(site, credentials.shareKey), credentials)
    return admitted === undefined ? yield* NotFound.of("site") : { ...admitted, caller }
  })

  return {
    load,
    admitTo,

    /** Admits a visitor to a site. Fails with `NotFound` if it does not exist or does not admit them. */
    admit,

    /**
     * Loads a space for a visitor. Fails with `NotFound` if it is in the trash, if no site-space of the visitor's site
     * has it, or if all of these are hidden from the visitor.
     */
    space: Effect.fnUntraced(function* (
      visitor: SiteVisitor | "anonymous",
      id: SpaceId
    ): Effect.fn.Return<VisitedSpace, NotFound | StorageUnavailable> {
      const hidden = NotFound.of("space")
      if (visitor === "anonymous") return yield* hidden
      const admitted = yield* Effect.catchTag(admit(visitor), "NotFound", () => hidden)
      if (!admitted.caller.granted.has(id)) return yield* hidden
      const { caller, grant } = admitted
      yield* dependOnScopes([CacheScope.space(id)])
      const space = yield* grant.records.get(spaces, { id })
      if (space === undefined || space.deletedAt !== null) return yield* hidden
      return { caller, grant, space: spaceForVisitor(admitted, space), role: "read", visitor: admitted }
    }),

    /**
     * Returns the site that the current visitor reads, for an operation that names the site; undefined if the caller is
     * a user. `input` has further credentials. Fails with `NotFound` if the site does not admit the visitor.
     */
    current: Effect.fnUntraced(function* (
      target: Pick<SiteVisitor, "organization" | "site">,
      input: VisitorCredentials = {}
    ): Effect.fn.Return<AdmittedVisitor | undefined, NotFound | StorageUnavailable, CurrentUser> {
      const { visitor } = yield* CurrentUser
      if (visitor === undefined) return undefined
      const { organization, site } = target
      if (visitor === "anonymous") return yield* admit({ organization, site, ...input })
      if (visitor.organization !== organization || visitor.site !== site) return yield* NotFound.of("site")
      return yield* admit({ ...visitor, ...input })
    }),

    /** Admits a client without a token; undefined if the site does not admit them. A token never hides content that they see. */
    admitEveryone,

    /**
     * Authorizes a user by `check`. A user whom it rejects is admitted like a client without a token, with the credentials of
     * `input`. Fails with the error of `check` if the site does not admit them either.
     */
    viewOrAdmit: <A, R>(
      check: Effect.Effect<A, NotFound | Forbidden | StorageUnavailable, R>,
      target: Pick<SiteVisitor, "organization" | "site">,
      input: VisitorCredentials = {}
    ): Effect.Effect<
      { readonly viewable: A } | { readonly admitted: AdmittedVisitor },
      NotFound | Forbidden | StorageUnavailable,
      R
    > =>
      Effect.catchTag(
        Effect.map(check, (viewable) => ({ viewable })),
        ["NotFound", "Forbidden"],
        (error) =>
          Effect.flatMap(admitEveryone(target, input), (admitted) =>
            admitted === undefined ? Effect.fail(error) : Effect.succeed({ admitted })
          )
      ),

    /**
     * Loads a published site of a member, filtered for a visitor. Fails with `NotFound` if it is not published or does
     * not admit the visitor.
     */
    resolvePublished,

    /**
     * Loads a site of a member, published or not. With a share key or a visitor token, filters it like
     * `resolvePublished`; otherwise returns it unfiltered, as a preview for the member.
     */
    resolvePreview: Effect.fnUntraced(function* (
      viewable: ViewableSite,
      credentials: VisitorCredentials
    ): Effect.fn.Return<VisitedSite, NotFound | StorageUnavailable> {
      if (credentials.shareKey !== undefined || credentials.visitorAuthToken !== undefined) {
        return yield* resolvePublished(viewable, credentials)
      }
      const { grant, structure, settings } = yield* loadRows(viewable.site, undefined)
      return { grant, caller: viewable.caller, structure, shareKey: undefined, settings }
    })
  }
})

/** The methods of {@link VisitorAccess}. */
export interface VisitorAccessService extends Effect.Success<typeof makeVisitorAccess> {}

/** Admits visitors to published sites, and loads the parts of them that are visible. */
export class VisitorAccess extends Context.Service<VisitorAccess, VisitorAccessService>()(
  "@lectern/core/VisitorAccess"
) {
  /** Provides the service over the records of the workspace. */
  static readonly layer: Layer.Layer<VisitorAccess, never, Records | Encryption> = Layer.effect(
    VisitorAccess,
    makeVisitorAccess
  )
}
