/** Creates, updates, publishes and deletes many redirects of a site, each on its own. */

import type { CurrentUser, GrantedRecords } from "@lectern/access"
import { type Ids, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SiteRedirectRow, siteRedirects } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import {
  type SiteId,
  type SiteRedirectDestination,
  SiteRedirectId,
  type SiteRedirectTarget,
  type UpsertedRedirect,
  type UpsertSiteRedirects
} from "@lectern/model/sites"
import { Effect } from "effect"

/** The dependencies of redirects of a site. */
interface RedirectContext {
  readonly records: GrantedRecords
  readonly ids: Ids["Service"]
  readonly organization: OrganizationId
  readonly site: SiteId
  /** The maximum number of redirects of the site. */
  readonly maximum: number
  /** Returns the destination that a request names, if it exists. */
  readonly resolve: (
    given: SiteRedirectTarget
  ) => Effect.Effect<SiteRedirectDestination | undefined, StorageUnavailable, CurrentUser>
  /** Whether a redirect leads to paths that it matches itself. */
  readonly leadsToItself: (
    redirect: Pick<SiteRedirectRow, "source" | "captureWildcard" | "destination">
  ) => Effect.Effect<boolean, StorageUnavailable, CurrentUser>
}

/** How to replace a redirect that leads to paths which it matches itself. */
export const loops =
  "leads to paths that the wildcard matches. End the source with `/*`, or set `captureWildcard` to false"

/** Applies redirects in their order, and returns a result for each. An error of one leaves the others as they are. */
export const upsertRedirects = Effect.fnUntraced(function* (
  { records, ids, organization, site, maximum, resolve, leadsToItself }: RedirectContext,
  { redirects }: UpsertSiteRedirects
): Effect.fn.Return<ReadonlyArray<UpsertedRedirect>, StorageUnavailable, CurrentUser> {
  const ofSite = Where.eq<SiteRedirectRow, "site">("site", site)
  const sources = [...new Set(redirects.map(({ source }) => source))]
  const [stored, total] = yield* records.zipConcurrent(
    records.find(siteRedirects, {
      where: Where.and<SiteRedirectRow>(ofSite, Where.isIn("source", sources))
    }),
    records.count(siteRedirects, ofSite)
  )
  const keyOf = (source: string, draft: boolean) => `${draft ? "draft" : "live"} ${source}`
  const idBy = new Map(stored.map(({ id, source, draft }) => [keyOf(source, draft), id]))
  const resolved = new Map<string, SiteRedirectDestination | undefined>()
  let count = total

  const remove = Effect.fnUntraced(function* (key: string, id: SiteRedirectId) {
    yield* records.remove(siteRedirects, Where.eq<SiteRedirectRow, "id">("id", id))
    idBy.delete(key)
    count -= 1
  })

  const update = Effect.fnUntraced(function* (id: SiteRedirectId, values: Partial<SiteRedirectRow>) {
    const changed = yield* ids.next
    yield* records.update(siteRedirects, Where.eq<SiteRedirectRow, "id">("id", id), { ...values, changed })
  })

  const apply = Effect.fnUntraced(function* (
    change: UpsertSiteRedirects["redirects"][number]
  ): Effect.fn.Return<UpsertedRedirect, StorageUnavailable, CurrentUser> {
    const { source } = change
    const [live, draft] = [keyOf(source, false), keyOf(source, true)]
    if (change.intent === "publish") {
      const [own, replaced] = [idBy.get(draft), idBy.get(live)]
      if (own === undefined) {
        return { source, draft: true, status: "error", error: "There is no such draft." }
      }
      if (replaced !== undefined) yield* remove(live, replaced)
      yield* update(own, { draft: false })
      idBy.delete(draft)
      idBy.set(live, own)
      return { source, draft: false, status: "published", id: own }
    }
    const common = { source, draft: change.intent === "draft" }
    const key = common.draft ? draft : live
    const id = idBy.get(key)
    const { destination: target = null, captureWildcard = false, permanent } = change
    if (target === null) {
      if (id === undefined) return { ...common, status: "error", error: "There is no such redirect." }
      yield* remove(key, id)
      return { ...common, status: "deleted" }
    }
    const given = JSON.stringify(target)
    if (!resolved.has(given)) resolved.set(given, yield* resolve(target))
    const destination = resolved.get(given)
    if (destination === undefined) {
      const error = "`destination` must be a section, a site-space or a page of the site, or external."
      return { ...common, status: "error", error }
    }
    if (yield* leadsToItself({ source, captureWildcard, destination })) {
      const error = `\`destination\` must not be matched by the source: it ${loops}.`
      return { ...common, status: "error", error }
    }
    const values = { destination, captureWildcard, ...(permanent === undefined ? {} : { permanent }) }
    if (id !== undefined) {
      yield* update(id, values)
      return { ...common, status: "updated", id }
    }
    if (count >= maximum) {
      const error = `The site has ${maximum} redirects, the maximum. Delete a redirect first.`
      return { ...common, status: "error", error }
    }
    const created = SiteRedirectId.make(yield* ids.next)
    yield* records.insert(siteRedirects, {
      ...{ permanent: false, ...values, ...common },
      ...{ id: created, organization, site, changed: created }
    })
    idBy.set(key, created)
    count += 1
    return { ...common, status: "created", id: created }
  })

  return yield* Effect.forEach(redirects, apply)
})
