/** The addresses that sites have outside of the URL of the workspace: a host name, or a path of one. */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import { PublicUrl, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SiteRow, sites } from "@lectern/kernel/tables"
import { Conflict, InvalidInput } from "@lectern/model/errors"
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

/** Creates the function that assigns an address to a site. */
export const makeClaimAddress = Effect.gen(function* () {
  const publicHost = URL.parse(yield* PublicUrl)?.hostname
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
   * the workspace, and with `Conflict` if the address is that of another organization, or above or below one.
   */
  return Effect.fnUntraced(function* (
    records: GrantedRecords,
    site: SiteRow,
    { proxy }: Partial<SiteRow>
  ): Effect.fn.Return<SiteRow, InvalidInput | Conflict | StorageUnavailable> {
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
    }
    if (hostname === site.hostname) return site
    yield* records
      .tryUpdate(sites, Where.eq("id", site.id), { hostname })
      .pipe(Effect.catchTag("UniqueViolation", () => Effect.fail(taken(proxy!))))
    return { ...site, hostname }
  })
})
