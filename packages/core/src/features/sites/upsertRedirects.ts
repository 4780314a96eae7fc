/** Creates, updates and deletes many redirects of a site, each on its own. */

import type { CurrentUser, GrantedRecords } from "@lectern/access"
import { type Ids, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SiteRedirectRow, siteRedirects } from "@lectern/kernel/tables"
import {
  type SiteId,
  type SiteRedirectDestination,
  SiteRedirectId,
  type UpsertedRedirect,
  type UpsertSiteRedirects
} from "@lectern/model/sites"
import { Effect } from "effect"

/** The dependencies of redirects of a site. */
interface RedirectContext {
  readonly records: GrantedRecords
  readonly ids: Ids["Service"]
  readonly site: SiteId
  /** The maximum number of redirects of the site. */
  readonly maximum: number
  /** Whether a destination is on the site. */
  readonly isVisible: (
    destination: SiteRedirectDestination
  ) => Effect.Effect<boolean, StorageUnavailable, CurrentUser>
}

/** Applies redirects in their order, and returns a result for each. An error of one leaves the others as they are. */
export const upsertRedirects = Effect.fnUntraced(function* (
  { records, ids, site, maximum, isVisible }: RedirectContext,
  { redirects }: UpsertSiteRedirects
): Effect.fn.Return<ReadonlyArray<UpsertedRedirect>, StorageUnavailable, CurrentUser> {
  const ofSite = Where.eq<SiteRedirectRow, "site">("site", site)
  const [stored, total] = yield* records.zipConcurrent(
    records.find(siteRedirects, {
      where: Where.and<SiteRedirectRow>(
        ofSite,
        Where.isIn("source", [...new Set(redirects.map(({ source }) => source))])
      )
    }),
    records.count(siteRedirects, ofSite)
  )
  const bySource = new Map(stored.map(({ id, source }) => [source, id]))
  const visible = new Map<string, boolean>()
  let count = total
  const results: Array<UpsertedRedirect> = []
  for (const { source, destination } of redirects) {
    const common = { source, draft: false }
    const failed = (error: string) => results.push({ ...common, status: "error", error })
    const id = bySource.get(source)
    if (destination === null) {
      if (id === undefined) {
        failed("There is no such redirect.")
        continue
      }
      yield* records.remove(siteRedirects, Where.eq<SiteRedirectRow, "id">("id", id))
      bySource.delete(source)
      count -= 1
      results.push({ ...common, status: "deleted" })
      continue
    }
    const key = JSON.stringify(destination)
    const isOnSite = visible.get(key) ?? (yield* isVisible(destination))
    visible.set(key, isOnSite)
    if (!isOnSite) {
      failed("`destination` must be a section, a site-space or a page of the site.")
      continue
    }
    if (id !== undefined) {
      yield* records.update(siteRedirects, Where.eq<SiteRedirectRow, "id">("id", id), { destination })
      results.push({ ...common, status: "updated", id })
      continue
    }
    if (count >= maximum) {
      failed(`The site has ${maximum} redirects, the maximum. Delete a redirect first.`)
      continue
    }
    const created = SiteRedirectId.make(yield* ids.next)
    yield* records.insert(siteRedirects, { id: created, site, source, destination })
    bySource.set(source, created)
    count += 1
    results.push({ ...common, status: "created", id: created })
  }
  return results
})
