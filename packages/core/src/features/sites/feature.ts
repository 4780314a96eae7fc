import { defineFeature, housekeepingJob } from "@lectern/kernel"
import {
  customFontEvents,
  customFontExaminations,
  customFontFiles,
  customFonts,
  shareLinkEvents,
  shareLinks,
  siteEventCounts,
  siteEvents,
  siteExaminations,
  siteExternalLinkEvents,
  siteExternalLinks,
  siteMcpServerEvents,
  siteMcpServers,
  siteRedirectEvents,
  siteRedirects,
  siteScriptEvents,
  siteScripts,
  siteSectionEvents,
  siteSectionGroupEvents,
  siteSectionGroups,
  siteSections,
  siteSettings,
  siteSettingsEvents,
  siteSpaceCustomizationEvents,
  siteSpaceCustomizations,
  siteSpaceEvents,
  siteSpaces,
  sites
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { CustomFonts } from "./CustomFonts.ts"
import { Embeds } from "./Embeds.ts"
import { Hostnames } from "./Hostnames.ts"
import { MemberVisits } from "./MemberVisits.ts"
import { PublishedContent } from "./PublishedContent.ts"
import { PublishedSites } from "./PublishedSites.ts"
import { RedirectTargets } from "./RedirectTargets.ts"
import { ShareLinks } from "./ShareLinks.ts"
import { SiteEditing } from "./SiteEditing.ts"
import { SiteEvents } from "./SiteEvents.ts"
import { SiteExternalLinks } from "./SiteExternalLinks.ts"
import { SiteMcpServers } from "./SiteMcpServers.ts"
import { SitePermissions } from "./SitePermissions.ts"
import { SitePreviews } from "./SitePreviews.ts"
import { SiteRedirects } from "./SiteRedirects.ts"
import { SiteScripts } from "./SiteScripts.ts"
import { SiteSectionGroups } from "./SiteSectionGroups.ts"
import { SiteSections } from "./SiteSections.ts"
import { SiteSettings } from "./SiteSettings.ts"
import { SiteSpaceCustomizations } from "./SiteSpaceCustomizations.ts"
import { SiteSpaces } from "./SiteSpaces.ts"
import { SiteStructures } from "./SiteStructures.ts"
import { Sites } from "./Sites.ts"
import { siteStructureExaminations } from "./siteStructureChecks.ts"
import { siteSubscriptions } from "./siteSubscriptions.ts"
import { UrlTargets } from "./UrlTargets.ts"

/** Docs sites: their structure, their settings, and what visitors see. */
export const sitesFeature = defineFeature("sites", {
  uses: ["change-requests", "collections", "content", "organizations", "permissions", "spaces"],
  tables: [
    sites,
    siteSettings,
    siteSectionGroups,
    siteSections,
    siteExternalLinks,
    siteSpaces,
    siteSpaceCustomizations,
    shareLinks,
    siteRedirects,
    siteEventCounts,
    siteMcpServers,
    customFonts,
    customFontFiles,
    siteScripts
  ],
  events: [
    siteEvents,
    siteSettingsEvents,
    siteSectionGroupEvents,
    siteSectionEvents,
    siteExternalLinkEvents,
    siteSpaceEvents,
    siteSpaceCustomizationEvents,
    shareLinkEvents,
    siteRedirectEvents,
    siteMcpServerEvents,
    customFontEvents,
    siteScriptEvents
  ],
  userServices: {
    sites: Sites,
    siteSections: SiteSections,
    siteSectionGroups: SiteSectionGroups,
    siteExternalLinks: SiteExternalLinks,
    siteSpaces: SiteSpaces,
    siteSpaceCustomizations: SiteSpaceCustomizations,
    shareLinks: ShareLinks,
    siteSettings: SiteSettings,
    publishedSites: PublishedSites,
    publishedContent: PublishedContent,
    memberVisits: MemberVisits,
    siteRedirects: SiteRedirects,
    siteEvents: SiteEvents,
    embeds: Embeds,
    siteStructures: SiteStructures,
    sitePreviews: SitePreviews,
    sitePermissions: SitePermissions,
    siteMcpServers: SiteMcpServers,
    customFonts: CustomFonts,
    siteScripts: SiteScripts,
    hostnames: Hostnames,
    urlTargets: UrlTargets
  },
  layer: Layer.mergeAll(
    Sites.layer,
    SiteSections.layer,
    SiteSectionGroups.layer,
    SiteExternalLinks.layer,
    SiteSpaces.layer,
    SiteSpaceCustomizations.layer,
    ShareLinks.layer,
    SiteSettings.layer,
    PublishedSites.layer,
    PublishedContent.layer,
    MemberVisits.layer,
    SiteRedirects.layer,
    SiteEvents.layer,
    Embeds.layer,
    SiteStructures.layer,
    SitePreviews.layer,
    SitePermissions.layer,
    SiteMcpServers.layer,
    CustomFonts.layer,
    SiteScripts.layer,
    Hostnames.layer,
    UrlTargets.layer
  ).pipe(Layer.provide([SiteEditing.layer, RedirectTargets.layer])),
  jobs: Effect.map(SiteEvents, ({ flush, purge }) => [
    housekeepingJob("sites.storeEventCounts", "1 minute", flush),
    housekeepingJob("sites.purgeEventCounts", "1 day", purge)
  ]),
  examinations: [...siteExaminations, ...siteStructureExaminations, ...customFontExaminations],
  subscriptions: siteSubscriptions
})
