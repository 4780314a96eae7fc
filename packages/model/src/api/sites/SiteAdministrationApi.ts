import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  AggregatedSiteEvents,
  AggregateSiteEvents,
  CustomHostname,
  Hostname,
  ListSitePermissions,
  PreviewSite,
  pageOf,
  SitePermission,
  SitePreview,
  SiteStructureItem,
  SortSiteStructure,
  Subdomain,
  SubdomainName,
  TemplateConditions
} from "../../index.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ChangedResource, ReturnsSecret } from "../shared/requestConditions.ts"
import { site, sitePath, structurePath } from "./siteParameters.ts"

/** The group of operations with which members arrange, preview and measure sites. */
export const SiteAdministrationApi = HttpApiGroup.make("siteAdministration")
  .add(
    HttpApiEndpoint.patch("sortSiteStructure", `${structurePath}/sort`, {
      params: site,
      payload: SortSiteStructure,
      success: SiteStructureItem,
      error: editing
    })
      .annotateMerge(
        describe(
          "Move an item of the structure",
          "Moves a site-space, a section or a section group before or after another item, to the level of that item."
        )
      )
      .annotate(ChangedResource, structurePath),
    HttpApiEndpoint.get(
      "listSiteAdaptiveTemplateConditions",
      `${sitePath}/adaptive-schema/template-conditions`,
      {
        params: site,
        success: TemplateConditions,
        error: reading
      }
    ).annotateMerge(
      describe(
        "List suggested conditions",
        "Returns conditions on the claims of the adaptive schema, at most 1,000. The list is empty for a site without a schema."
      )
    ),
    HttpApiEndpoint.get("getSitePublishingPreviewById", `${sitePath}/publishing/preview`, {
      params: site,
      query: { siteSpace: PreviewSite.fields.siteSpace, claims: PreviewSite.fields.claims },
      success: SitePreview,
      error: reading
    })
      .annotateMerge(
        describe(
          "Preview a published site",
          "Returns the URL of the site, with a visitor token that states the claims and is valid for one hour. The site must be published."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("listPermissionsAggregateInSite", `${sitePath}/permissions/aggregate`, {
      params: site,
      query: {
        ...page,
        order: ListSitePermissions.fields.order,
        role: ListSitePermissions.fields.role,
        search: ListSitePermissions.fields.search,
        sort: ListSitePermissions.fields.sort,
        team: ListSitePermissions.fields.team
      },
      success: pageOf(SitePermission),
      error: reading
    }).annotateMerge(
      describe(
        "List all who see a site",
        "Returns the members who see the site in the application, with their roles, most recently joined first."
      )
    ),
    HttpApiEndpoint.post("aggregateSiteEvents", `${sitePath}/insights/events/aggregate`, {
      params: site,
      payload: AggregateSiteEvents,
      success: AggregatedSiteEvents,
      error: changing
    }).annotateMerge(
      describe(
        "Aggregate the events of a site",
        "Returns the numbers of events by period, URL and type, as columns of equal length."
      )
    )
  )
  .annotateMerge(
    describeGroup(
      "Site administration",
      "The order, the previews, the permissions and the statistics of sites."
    )
  )

/** The group of operations on host names and subdomains. */
export const HostnamesApi = HttpApiGroup.make("hostnames")
  .add(
    HttpApiEndpoint.get("getCustomHostname", "/custom-hostnames/:hostname", {
      params: { hostname: Hostname },
      success: CustomHostname,
      error: reading
    }).annotateMerge(
      describe("Get a host name", "Returns the site at whose root the host name is: that of its `proxy`.")
    ),
    HttpApiEndpoint.delete("removeCustomHostname", "/custom-hostnames/:hostname", {
      params: { hostname: Hostname },
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Remove a host name",
        "Removes the host name from its site, which is served below the URL of the workspace again."
      )
    ),
    HttpApiEndpoint.get("getSubdomain", "/subdomains/:subdomain", {
      params: { subdomain: SubdomainName },
      success: Subdomain,
      error: reading
    }).annotateMerge(
      describe(
        "Get a subdomain",
        "Returns the organization of the caller that has the subdomain: its `hostname`."
      )
    )
  )
  .annotateMerge(describeGroup("Host names", "The host names of sites, and the subdomains of organizations."))
