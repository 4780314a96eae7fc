/** Operations on the redirects of a site. */

import {
  type AccessError,
  type Authorization,
  alsoForVisitors,
  type Command,
  CurrentUser,
  type GrantedReader,
  type Identity,
  Locks,
  Operations,
  type Query,
  type VisitedSite,
  VisitorAccess,
  visitorIdentity
} from "@lectern/access"
import { Ids, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import { redirectOf, type SiteRedirectRow, siteRedirects } from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import {
  CreateSiteRedirect,
  ListSiteRedirects,
  type ResolvedSiteRedirect,
  SiteId,
  type SiteRedirect,
  SiteRedirectId,
  SiteRedirectQuery,
  type SiteRedirectTarget,
  UpdateSiteRedirect,
  type UpsertedSiteRedirects,
  UpsertSiteRedirects
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { RedirectTargets } from "./RedirectTargets.ts"
import type { SiteTarget } from "./SiteEditing.ts"
import { loops, upsertRedirects } from "./upsertRedirects.ts"

/**
 * Operations on the redirects of a site, on behalf of the `CurrentUser`. They fail with `NotFound` for a site that the
 * caller cannot see, and with `Forbidden` if the caller's role is too low.
 */
export interface SiteRedirectsOperations {
  /** Lists the redirects that are set on the site, newest first by default; requires the role `create`. */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: ListSiteRedirects },
    Page<SiteRedirect>,
    AccessError
  >
  /**
   * Creates a redirect; requires the role `create`. Fails with `InvalidInput` if the destination is neither on the site
   * nor external, and with `Conflict` if another redirect has the source or the site has 10,000 redirects.
   */
  readonly create: Command<
    { organization: OrganizationId; site: SiteId; input: CreateSiteRedirect },
    SiteRedirect,
    AccessError | Conflict
  >
  /**
   * Creates, updates and deletes at most 500 redirects by their sources, each on its own: the result of one can be an error. Requires
   * the role `create`.
   */
  readonly upsert: Command<
    { organization: OrganizationId; site: SiteId; input: UpsertSiteRedirects },
    UpsertedSiteRedirects,
    AccessError
  >
  /** Updates the given fields of a redirect, with the requirements of `create`. */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; redirect: SiteRedirectId; input: UpdateSiteRedirect },
    SiteRedirect,
    AccessError | Conflict
  >
  /** Deletes a redirect; requires the role `create`. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; redirect: SiteRedirectId },
    void,
    AccessError
  >
  /**
   * Returns the redirect for a path on the site, with the URL that it resolves to: one that is set, or one to the page that
   * had the path before it moved or was renamed. Fails with `NotFound` for other paths, and if the caller cannot see
   * the destination. Visitors can call it.
   */
  readonly getBySource: Query<
    { organization: OrganizationId; site: SiteId; input: SiteRedirectQuery },
    ResolvedSiteRedirect,
    AccessError
  >
}

/** The maximum number of redirects of a site. */
const maximumRedirects = 10_000

/** The columns that sort a list, and its direction. */
const orders = {
  createdAt: [["id"], "desc"],
  updatedAt: [["changed"], "desc"],
  source: [["source"], "asc"]
} as const

const requireFree = Effect.fnUntraced(function* (
  records: GrantedReader,
  { site, source, draft }: Pick<SiteRedirectRow, "site" | "source" | "draft">,
  own?: SiteRedirectId
) {
  const taken = yield* records.first(siteRedirects, {
    where: Where.and<SiteRedirectRow>(
      Where.eq("site", site),
      Where.eq("source", source),
      Where.eq("draft", draft)
    )
  })
  if (taken === undefined || taken.id === own) return
  return yield* new Conflict({
    reason: "PathTaken",
    message: `Another redirect of the site has the source "${source}". Update that redirect.`
  })
})

const makeRedirectEditing = Effect.gen(function* () {
  const { allow } = yield* Operations
  const visitors = yield* VisitorAccess
  const targets = yield* RedirectTargets
  const editSite = allow.site("edit")

  const loadRedirect = allow.loading(
    editSite,
    (records, { redirect }: SiteTarget & { readonly redirect: SiteRedirectId }) =>
      records.get(siteRedirects, { id: redirect })
  )

  /** Authorizes `site.edit` on the site as a preview, whose parts a redirect can point to. */
  const editVisited: Authorization<SiteTarget, { readonly visited: VisitedSite }, AccessError> = {
    rule: editSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const viewable = yield* editSite.check(target)
      return { grant: viewable.grant, visited: yield* visitors.resolvePreview(viewable, {}) }
    })
  }

  /** Authorizes `site.edit` on a redirect of the site. */
  const editRedirect: Authorization<
    SiteTarget & { readonly redirect: SiteRedirectId },
    { readonly visited: VisitedSite; readonly redirect: SiteRedirectRow },
    AccessError
  > = {
    rule: editSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const [viewable, redirect] = yield* loadRedirect(target)
      if (redirect?.site !== target.site) return yield* NotFound.of("redirect")
      const visited = yield* visitors.resolvePreview(viewable, {})
      return { grant: viewable.grant, visited, redirect }
    })
  }

  const requireDestination = Effect.fnUntraced(function* (visited: VisitedSite, given: SiteRedirectTarget) {
    const destination = yield* targets.resolve(visited, given)
    if (destination !== undefined) return destination
    return yield* InvalidInput.at(
      "destination",
      "must be a section, a site-space or a page of the site, or external"
    )
  })

  /** Rejects a redirect that leads to paths which it matches itself. */
  const requireEnd = Effect.fnUntraced(function* (visited: VisitedSite, row: SiteRedirectRow) {
    if (yield* targets.leadsToItself(visited, row)) {
      return yield* InvalidInput.at("destination", `must not be matched by the source: it ${loops}`)
    }
  })

  return { editSite, editVisited, editRedirect, requireDestination, requireEnd }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const visitors = yield* VisitorAccess
  const targets = yield* RedirectTargets
  const viewSite = allow.site("view")
  const { editSite } = yield* makeRedirectEditing

  /** A site as one identity of the caller sees it. */
  interface View {
    readonly visited: VisitedSite
    readonly reader: Identity
  }

  /**
   * Authorizes `site.view`, and admits visitors and other users to the published site. `everyone` is the site as clients without
   * a token see it; undefined for visitors, and for callers whom `view` shows it already.
   */
  const viewVisited: Authorization<
    SiteTarget & { readonly input?: SiteRedirectQuery },
    { readonly view: View; readonly everyone: Effect.Effect<View | undefined, StorageUnavailable> },
    AccessError
  > = {
    rule: alsoForVisitors(viewSite.rule),
    check: Effect.fnUntraced(function* (target) {
      const { organization, site } = target
      const { source: _, ...credentials } = target.input ?? { source: "" }
      const user = yield* CurrentUser
      const known = user.visitor === "anonymous" ? undefined : user.visitor
      const asVisitor = (visited: VisitedSite): View => ({
        visited,
        reader: visitorIdentity({ organization, site, ...known, ...credentials })
      })
      const none = Effect.succeed(undefined)
      const admitted = yield* visitors.current(target, credentials)
      if (admitted !== undefined) return { grant: admitted.grant, view: asVisitor(admitted), everyone: none }
      const preview = Effect.flatMap(viewSite.check(target), (viewable) =>
        visitors.resolvePreview(viewable, credentials)
      )
      const seen = yield* visitors.viewOrAdmit(preview, target, credentials)
      if ("admitted" in seen)
        return { grant: seen.admitted.grant, view: asVisitor(seen.admitted), everyone: none }
      const { viewable: visited } = seen
      const everyone = Effect.map(visitors.admitEveryone(target, credentials), (admitted) =>
        admitted === undefined ? undefined : asVisitor(admitted)
      )
      return { grant: visited.grant, view: { visited, reader: user }, everyone }
    })
  }

  return {
    list: query(
      "SiteRedirects.list",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListSiteRedirects },
        authorize: editSite
      },
      function* ({ input }, { site, records }) {
        const { search, draft = false } = input
        const ofSite = Where.and<SiteRedirectRow>(Where.eq("site", site.id), Where.eq("draft", draft))
        const [orderBy, direction] = orders[input.orderBy ?? "createdAt"]
        return yield* readPage(records, input, {
          table: siteRedirects,
          list: ["redirects", site.id, search, draft],
          where:
            search === undefined
              ? ofSite
              : Where.and<SiteRedirectRow>(ofSite, Where.contains("source", search)),
          orderBy,
          direction,
          present: (rows) => Effect.succeed(rows.map(redirectOf))
        })
      }
    ),

    getBySource: query(
      "SiteRedirects.getBySource",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: SiteRedirectQuery },
        authorize: viewVisited
      },
      function* ({ input: { source } }, { view, everyone }) {
        // Pages are read with the credentials of the request, which a visitor without a token states in the query.
        const findFor = ({ visited, reader }: View) =>
          Effect.provideService(targets.find(visited, source), CurrentUser, reader)
        const own = yield* findFor(view)
        const published = own === undefined ? yield* everyone : undefined
        const found = published === undefined ? own : yield* findFor(published)
        if (found === undefined) return yield* NotFound.of("redirect")
        return { redirect: redirectOf(found.redirect), target: found.target }
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const targets = yield* RedirectTargets
  const ids = yield* Ids
  const { editVisited, requireDestination, requireEnd, editRedirect } = yield* makeRedirectEditing

  return {
    create: command(
      "SiteRedirects.create",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: CreateSiteRedirect },
        authorize: editVisited,
        locks: Locks.organization
      },
      function* ({ organization, site, input }, { visited, records }) {
        const destination = yield* requireDestination(visited, input.destination)
        const id = SiteRedirectId.make(yield* ids.next)
        const options = { draft: false, captureWildcard: false, permanent: false }
        const row: SiteRedirectRow = {
          ...{ ...options, ...input, id, organization, site },
          destination,
          changed: id
        }
        yield* requireEnd(visited, row)
        yield* requireFree(records, row)
        const ofSite = Where.eq<SiteRedirectRow, "site">("site", site)
        if ((yield* records.count(siteRedirects, ofSite)) >= maximumRedirects) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${maximumRedirects} redirects, the maximum. Delete a redirect first.`
          })
        }
        yield* records.insert(siteRedirects, row)
        return redirectOf(row)
      }
    ),

    upsert: command(
      "SiteRedirects.upsert",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: UpsertSiteRedirects },
        authorize: editVisited,
        locks: Locks.organization
      },
      function* ({ organization, site, input }, { visited, records }) {
        const resolve = (given: SiteRedirectTarget) => targets.resolve(visited, given)
        return {
          results: yield* upsertRedirects(
            {
              records,
              ids,
              organization,
              site,
              maximum: maximumRedirects,
              resolve,
              leadsToItself: (redirect) => targets.leadsToItself(visited, redirect)
            },
            input
          )
        }
      }
    ),

    update: command(
      "SiteRedirects.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          redirect: SiteRedirectId,
          input: UpdateSiteRedirect
        },
        authorize: editRedirect,
        locks: Locks.organization
      },
      function* ({ input: { destination: given, ...input } }, { visited, redirect, records }) {
        const destination =
          given === undefined ? redirect.destination : yield* requireDestination(visited, given)
        const changes = { ...input, destination, changed: yield* ids.next }
        const row = { ...redirect, ...changes }
        yield* requireEnd(visited, row)
        yield* requireFree(records, row, redirect.id)
        yield* records.update(siteRedirects, Where.eq("id", redirect.id), changes)
        return redirectOf(row)
      }
    ),

    remove: command(
      "SiteRedirects.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, redirect: SiteRedirectId },
        authorize: editRedirect,
        locks: Locks.organization
      },
      function* (_, { redirect, records }) {
        yield* records.remove(siteRedirects, Where.eq("id", redirect.id))
      }
    )
  }
})

const makeSiteRedirects = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits) }
})

/** Operations on the redirects of a site: see {@link SiteRedirectsOperations}. */
export class SiteRedirects extends Context.Service<SiteRedirects, SiteRedirectsOperations>()(
  "@lectern/core/SiteRedirects"
) {
  static readonly layer: Layer.Layer<
    SiteRedirects,
    never,
    Operations | VisitorAccess | RedirectTargets | Ids
  > = Layer.effect(SiteRedirects, makeSiteRedirects)
}
