/** Which scripts of a site its pages load. */

import { type GrantedReader, SystemGrant } from "@lectern/access"
import {
  ApplicationHosts,
  dependOnScopes,
  makeVersionedCache,
  PublicUrl,
  Records,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  CacheScope,
  presentLoadedScripts,
  rootOf,
  type SiteRow,
  type SiteScriptRow,
  siteScripts,
  sites
} from "@lectern/kernel/tables"
import { type SiteIntegrationScript, scriptContent } from "@lectern/model/sites"
import { Effect } from "effect"
import { isAtOrBelow } from "./siteAddresses.ts"

/** The capacity of the cache of hosts. */
const maximumCachedHosts = 10_000

/** Creates the functions that determine which scripts of a site its pages load. */
export const makeActiveScripts = Effect.gen(function* () {
  const publicHost = URL.parse(yield* PublicUrl)?.host
  const isApplicationHost = yield* ApplicationHosts
  const { records: directory } = yield* SystemGrant.make(
    "Finds the organization whose site has the root of a host."
  )

  const cached = makeVersionedCache<{ readonly servesScripts: boolean }>(
    yield* Records,
    "hosts with scripts",
    maximumCachedHosts,
    { sizeOf: () => 1, bySnapshot: true }
  )

  /** Returns the organization whose site has the root of a host: no other organization has an address there. */
  const ownerOf = Effect.fnUntraced(function* (host: string) {
    const [root] = yield* directory.find(sites, {
      select: ["organization"],
      where: Where.eq<SiteRow, "hostname">("hostname", host)
    })
    return root?.organization
  })

  /** Returns why no page of a site loads scripts; undefined if they do. */
  const inactiveReason = Effect.fnUntraced(function* ({
    organization,
    proxy
  }: Pick<SiteRow, "organization" | "proxy">): Effect.fn.Return<string | undefined, StorageUnavailable> {
    const host = proxy?.split("/", 1)[0]
    if (host === undefined) {
      return "The site has no host name of its own. Scripts are loaded only at a host name that serves neither the application nor the API."
    }
    if (host === publicHost || isApplicationHost(host)) {
      return `The host name ${host} also serves the application and the API. Give the site another one.`
    }
    const owner = yield* ownerOf(host)
    if (owner === organization) return undefined
    return owner === undefined
      ? `No site has the root of ${host}, so that the host can also serve the application and the API. Set \`proxy\` of a site to the host name without a path.`
      : `A site of another organization has the root of ${host}.`
  })

  /** Returns what pages of a site load, for its root. Issues no query if the site has no host name. */
  const activeScripts = Effect.fnUntraced(function* (
    records: GrantedReader,
    site: SiteRow,
    shareKey?: string
  ): Effect.fn.Return<ReadonlyArray<SiteIntegrationScript>, StorageUnavailable> {
    if (site.proxy === null) return []
    const rows = yield* records.find(siteScripts, {
      where: Where.and<SiteScriptRow>(
        Where.eq("organization", site.organization),
        Where.and<SiteScriptRow>(Where.eq("site", site.id), Where.eq("enabled", true))
      ),
      orderBy: ["id"]
    })
    if (rows.length === 0 || (yield* inactiveReason(site)) !== undefined) return []
    const root = rootOf("", site, shareKey)
    return rows.flatMap((row) => presentLoadedScripts(root, row, scriptContent(row.source, row.origins)))
  })

  const findInstalled = Effect.fnUntraced(function* (host: string) {
    const owner = yield* ownerOf(host)
    if (owner === undefined) return { servesScripts: false }
    const found = yield* directory.find(sites, {
      select: ["id"],
      where: Where.and<SiteRow>(Where.eq("organization", owner), isAtOrBelow(host))
    })
    yield* dependOnScopes(found.map(({ id }) => CacheScope.site(id)))
    const installed = yield* directory.count(
      siteScripts,
      Where.and<SiteScriptRow>(
        Where.isIn(
          "site",
          found.map(({ id }) => id)
        ),
        Where.eq("enabled", true)
      )
    )
    return { servesScripts: installed > 0 }
  })

  /** Whether a site of the organization with the root of a host loads scripts there, so that the host serves nothing with a session. */
  const servesScripts = (host: string): Effect.Effect<boolean, StorageUnavailable> =>
    Effect.map(
      cached({ key: host, scopes: () => [CacheScope.host(host)] }, () => findInstalled(host)),
      (found) => found.servesScripts
    )

  return { inactiveReason, activeScripts, servesScripts }
})
