/** The addresses that sites have outside of the URL of the workspace: a host name, or a path of one. */

import { Access, type Caller, type CurrentUser, type GrantedRecords, SystemGrant } from "@lectern/access"
import { PublicUrl, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SiteRow, type SiteScriptRow, siteScripts, sites } from "@lectern/kernel/tables"
import { Conflict, type Forbidden, InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"

/** Returns the address of a proxy as URLs have it: the host name in lower case, without a final slash. */
export const addressOf = (proxy: string): string => {
  const [host = "", ...path] = proxy.replace(/\/$/, "").split("/")
  return [host.toLowerCase(), ...path].join("/")
}

/** Returns the host name of an address. */
export const hostOfAddress = (address: string | null | undefined): string | undefined =>
  address?.split("/", 1)[0]?.toLowerCase()

/** Selects the sites whose address is the given one, or below it. */
export const isAtOrBelow = (address: string): Where.Where<SiteRow> =>
  Where.or<SiteRow>(Where.eq("proxy", address), Where.startsWith("proxy", `${address}/`))

/** Selects the sites whose address is the given one, below it, or above it: one of both would replace pages of the other. */
const overlaps = (address: string): Where.Where<SiteRow> => {
  const segments = address.split("/")
  const above = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"))
  return above.length === 0
    ? isAtOrBelow(address)
    : Where.or<SiteRow>(isAtOrBelow(address), Where.isIn("proxy", above))
}

/**
 * Creates the functions that authorize changes of the sites that share a host: they have one origin, whose pages and scripts a change
 * of one site can replace or read.
 */
export const makeSharedHosts = Effect.gen(function* () {
  const access = yield* Access

  /** Returns the other sites of the organization that have an address at a host. */
  const othersAt = (records: GrantedRecords, site: SiteRow, host: string) =>
    records.find(sites, {
      where: Where.and<SiteRow>(
        Where.eq("organization", site.organization),
        Where.not(Where.eq("id", site.id)),
        isAtOrBelow(host)
      ),
      orderBy: ["id"]
    })

  const hasScripts = (records: GrantedRecords, ids: ReadonlyArray<SiteRow["id"]>) =>
    Effect.map(
      records.count(
        siteScripts,
        Where.and<SiteScriptRow>(Where.isIn("site", ids), Where.eq("enabled", true))
      ),
      (count) => count > 0
    )

  return {
    /**
     * Fails with `Forbidden` unless the caller may assign an address to a site: a path of a host that other sites of the organization
     * have requires the role `create` on each of them, and the role `admin` on all sites of the host if one of them has a script.
     */
    requireAddress: Effect.fnUntraced(function* (
      records: GrantedRecords,
      caller: Caller,
      site: SiteRow,
      proxy: string
    ): Effect.fn.Return<void, Forbidden | StorageUnavailable, CurrentUser> {
      const others = yield* othersAt(records, site, hostOfAddress(proxy)!)
      if (others.length === 0) return
      const all = [site, ...others].map(({ id }) => id)
      yield* access.requireOnSites(caller, all, (yield* hasScripts(records, all)) ? "configure" : "edit")
    }),

    /** Fails with `Forbidden` unless the caller has the role `admin` on every site at the host of a site, whose scripts have its origin. */
    requireScripts: Effect.fnUntraced(function* (
      records: GrantedRecords,
      caller: Caller,
      site: SiteRow
    ): Effect.fn.Return<void, Forbidden | StorageUnavailable, CurrentUser> {
      const host = hostOfAddress(site.proxy)
      if (host === undefined) return
      const others = yield* othersAt(records, site, host)
      yield* access.requireOnSites(
        caller,
        others.map(({ id }) => id),
        "configure"
      )
    })
  }
})

/** Creates the function that assigns an address to a site. */
export const makeClaimAddress = Effect.gen(function* () {
  const publicHost = URL.parse(yield* PublicUrl)?.hostname
  const { requireAddress } = yield* makeSharedHosts
  const { records: directory } = yield* SystemGrant.make(
    "Finds the sites of other organizations whose pages a new address would replace."
  )
  const taken = (address: string) =>
    new Conflict({
      reason: "HostnameTaken",
      message: address.includes("/")
        ? `A site of another organization has the address "${address}", or one above or below it. Choose another one.`
        : `Another site has the host name "${address}", or one of another organization has a path of it. Choose another host name.`
    })

  /**
   * Stores the host name that an update assigns to a site, which no other site can have. Fails with `InvalidInput` for the host of
   * the workspace, with `Conflict` if the address is that of another organization, or above or below one, and with `Forbidden` at a
   * host of sites on which the role of the caller is too low.
   */
  return Effect.fnUntraced(function* (
    records: GrantedRecords,
    caller: Caller,
    site: SiteRow,
    { proxy }: Partial<SiteRow>
  ): Effect.fn.Return<SiteRow, InvalidInput | Conflict | Forbidden | StorageUnavailable, CurrentUser> {
    if (proxy === undefined || proxy === site.proxy) return site
    const hostname = proxy === null || proxy.includes("/") ? null : proxy
    if (hostname !== null && hostname === publicHost) {
      return yield* InvalidInput.at("proxy", "must not be the host name of the workspace")
    }
    if (proxy !== null) {
      const others = Where.and<SiteRow>(
        Where.not(Where.eq("organization", site.organization)),
        overlaps(proxy)
      )
      if ((yield* directory.count(sites, others)) > 0) return yield* taken(proxy)
      yield* requireAddress(records, caller, site, proxy)
    }
    if (hostname === site.hostname) return site
    yield* records
      .tryUpdate(sites, Where.eq("id", site.id), { hostname })
      .pipe(Effect.catchTag("UniqueViolation", () => Effect.fail(taken(proxy!))))
    return { ...site, hostname }
  })
})
