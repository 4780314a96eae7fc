/** Operations on the host names of sites and the subdomains of organizations, by name. */

import {
  Access,
  type AccessError,
  type Authorization,
  type Command,
  type CurrentUser,
  type Granted,
  Operations,
  type Query,
  SystemGrant
} from "@lectern/access"
import { makeLinkBase, type Records, Where } from "@lectern/kernel"
import { type OrganizationRow, organizations, type SiteRow, sites } from "@lectern/kernel/tables"
import { type Forbidden, NotFound } from "@lectern/model/errors"
import { type SiteAction, siteActions } from "@lectern/model/roles"
import { type CustomHostname, Hostname, type Subdomain, SubdomainName } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { loadSpacesOnSite, refreshPublishedUrls } from "./structureStore.ts"

interface OfHostname {
  readonly hostname: typeof Hostname.Type
}

/** Operations on host names and subdomains, on behalf of the `CurrentUser`. They fail with `NotFound` for others' names. */
export interface HostnamesOperations {
  /** Returns the site that has a host name. Requires the role `read`. */
  readonly get: Query<OfHostname, CustomHostname, AccessError>
  /** Removes the host name from its site, which is served below the URL of the workspace again. Requires the role `create`. */
  readonly remove: Command<OfHostname, void, AccessError>
  /** Returns the organization that has a subdomain, of which the caller is a member. */
  readonly getSubdomain: Query<{ subdomain: typeof SubdomainName.Type }, Subdomain, AccessError>
}

const makeHostnames = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const access = yield* Access
  const directory = yield* SystemGrant.make("Finds the sites and organizations that host names identify.")
  const linkBase = yield* makeLinkBase

  /** Authorizes `site.<action>` on the site with a host name. */
  const allowSite = (
    action: SiteAction
  ): Authorization<OfHostname, Granted & { readonly site: SiteRow }, NotFound | Forbidden, CurrentUser> => ({
    rule: { kind: "policy", action: `site.${action}`, role: siteActions[action] },
    check: Effect.fnUntraced(function* ({ hostname }) {
      const found = yield* directory.records.first(sites, {
        where: Where.eq<SiteRow, "hostname">("hostname", hostname.toLowerCase())
      })
      if (found === undefined) return yield* NotFound.of("site")
      // The organization is not in the path: that a hidden site has one must not be visible.
      return yield* access
        .site(found.organization, found.id, action)
        .pipe(Effect.catchTag("NotFound", () => NotFound.of("site")))
    })
  })

  return {
    get: query(
      "Hostnames.get",
      { parameters: { hostname: Hostname }, authorize: allowSite("view") },
      function* (_, { site }) {
        return {
          object: "custom-hostname",
          hostname: site.hostname!,
          target: { type: "site", site: site.id },
          isActive: site.published,
          urls: { location: `${yield* linkBase}/v1/custom-hostnames/${site.hostname!}` }
        } satisfies CustomHostname
      }
    ),

    remove: command(
      "Hostnames.remove",
      {
        parameters: { hostname: Hostname },
        authorize: allowSite("edit"),
        serializable: "The organization is that of the site which has the host name."
      },
      function* (_, { site, records }) {
        yield* records.update(sites, Where.eq("id", site.id), { hostname: null, proxy: null })
        const spaces = yield* loadSpacesOnSite(records, site.id)
        if (site.published) yield* refreshPublishedUrls(records, [...spaces.keys()])
      }
    ),

    getSubdomain: query(
      "Hostnames.getSubdomain",
      {
        parameters: { subdomain: SubdomainName },
        authorize: {
          rule: { kind: "policy", action: "organization.view", role: "guest" },
          check: Effect.fnUntraced(function* ({ subdomain }) {
            const found = yield* directory.records.first(organizations, {
              where: Where.eq<OrganizationRow, "hostname">("hostname", subdomain),
              select: ["id"]
            })
            if (found === undefined) return yield* NotFound.of("organization")
            const given = yield* access.organization(found.id, "view")
            return { ...given, id: found.id }
          })
        } satisfies Authorization<
          { readonly subdomain: string },
          Granted & { readonly id: OrganizationRow["id"] },
          NotFound | Forbidden,
          CurrentUser
        >
      },
      function* ({ subdomain }, { id }) {
        return {
          object: "subdomain",
          subdomain,
          target: { type: "organization", organization: id },
          isActive: true
        } satisfies Subdomain
      }
    )
  }
})

/** Operations on host names and subdomains: see {@link HostnamesOperations}. */
export class Hostnames extends Context.Service<Hostnames, HostnamesOperations>()("@lectern/core/Hostnames") {
  static readonly layer: Layer.Layer<Hostnames, never, Records | Operations | Access> = Layer.effect(
    Hostnames,
    makeHostnames
  )
}
