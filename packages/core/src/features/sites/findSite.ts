/** Finds the site that a URL names. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type NamedSite, type SiteRow, sites } from "@lectern/kernel/tables"
import type { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"

/** A site with the part of the path of a URL that follows it. */
export interface NamedContent {
  readonly site: SiteRow
  readonly segments: ReadonlyArray<string>
}

/** Finds the site that a URL names. At an own address, the site is published. */
export const findSite = Effect.fnUntraced(function* (
  records: GrantedReader,
  named: NamedSite
): Effect.fn.Return<NamedContent | undefined, StorageUnavailable> {
  if (named.kind === "workspace") {
    const { organization, name, segments } = named
    const found = yield* records.find(sites, {
      where: Where.and<SiteRow>(
        Where.eq("organization", organization),
        Where.or<SiteRow>(Where.eq("basename", name), Where.eq("id", name as SiteId))
      )
    })
    // A basename from before the form of ids was reserved must not replace the site that has the id.
    const site = found.find(({ id }) => id === name) ?? found[0]
    return site === undefined ? undefined : { site, segments }
  }
  const found = yield* records.find(sites, {
    where: Where.and<SiteRow>(Where.eq("published", true), Where.isIn("proxy", named.origins))
  })
  // The longest address is the most specific one. Of sites with the same address, the oldest has it.
  const [site] = found.toSorted(
    (one, other) => other.proxy!.length - one.proxy!.length || (one.id < other.id ? -1 : 1)
  )
  return site === undefined
    ? undefined
    : { site, segments: named.segments.slice(site.proxy!.split("/").length - 1) }
})
