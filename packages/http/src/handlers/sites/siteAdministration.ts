import { HostnamesApi, SiteAdministrationApi } from "@lectern/client"
import {
  Hostnames,
  SiteEvents,
  SitePermissions,
  SitePreviews,
  SiteSettings,
  SiteStructures
} from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteAdministration = Effect.map(
  Effect.all([SiteStructures, SiteSettings, SitePreviews, SitePermissions, SiteEvents]),
  ([structures, settings, previews, permissions, events]) =>
    implement(SiteAdministrationApi, {
      sortSiteStructure: structures.sort,
      listSiteAdaptiveTemplateConditions: settings.listTemplateConditions,
      getSitePublishingPreviewById: previews.get,
      listPermissionsAggregateInSite: permissions.listEffective,
      aggregateSiteEvents: events.aggregate
    })
)

export const hostnames = Effect.map(Hostnames, (hostnames) =>
  implement(HostnamesApi, {
    getCustomHostname: hostnames.get,
    removeCustomHostname: hostnames.remove,
    getSubdomain: hostnames.getSubdomain
  })
)
