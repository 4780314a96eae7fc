import { defineFeature, housekeepingJob } from "@lectern/kernel"
import {
  shareLinkEvents,
  shareLinks,
  siteEventCounts,
  siteEvents,
  siteRedirectEvents,
  siteRedirects,
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
import { Embeds } from "./Embeds.ts"
import { MemberVisits } from "./MemberVisits.ts"
import { PublishedContent } from "./PublishedContent.ts"
import { PublishedSites } from "./PublishedSites.ts"
import { RedirectTargets } from "./RedirectTargets.ts"
import { ShareLinks } from "./ShareLinks.ts"
import { SiteEditing } from "./SiteEditing.ts"
import { SiteEvents } from "./SiteEvents.ts"
import { SiteRedirects } from "./SiteRedirects.ts"
import { SiteSectionGroups } from "./SiteSectionGroups.ts"
import { SiteSections } from "./SiteSections.ts"
import { SiteSettings } from "./SiteSettings.ts"
import { SiteSpaceCustomizations } from "./SiteSpaceCustomizations.ts"
import { SiteSpaces } from "./SiteSpaces.ts"
import { Sites } from "./Sites.ts"
import { siteExaminations } from "./siteChecks.ts"
import { siteStructureExaminations } from "./siteStructureChecks.ts"
import { siteSubscriptions } from "./siteSubscriptions.ts"

/** Docs sites: their structure, their settings, and what visitors see. */
export const sitesFeature = defineFeature("sites", {
  uses: ["content", "organizations", "spaces"],
  tables: [
    sites,
    siteSettings,
    siteSectionGroups,
    siteSections,
    siteSpaces,
    siteSpaceCustomizations,
    shareLinks,
    siteRedirects,
    siteEventCounts
  ],
  events: [
    siteEvents,
    siteSettingsEvents,
    siteSectionGroupEvents,
    siteSectionEvents,
    siteSpaceEvents,
    siteSpaceCustomizationEvents,
    shareLinkEvents,
    siteRedirectEvents
  ],
  userServices: {
    sites: Sites,
    siteSections: SiteSections,
    siteSectionGroups: SiteSectionGroups,
    siteSpaces: SiteSpaces,
    siteSpaceCustomizations: SiteSpaceCustomizations,
    shareLinks: ShareLinks,
    siteSettings: SiteSettings,
    publishedSites: PublishedSites,
    publishedContent: PublishedContent,
    memberVisits: MemberVisits,
    siteRedirects: SiteRedirects,
    siteEvents: SiteEvents,
    embeds: Embeds
  },
  layer: Layer.mergeAll(
    Sites.layer,
    SiteSections.layer,
    SiteSectionGroups.layer,
    SiteSpaces.layer,
    SiteSpaceCustomizations.layer,
    ShareLinks.layer,
    SiteSettings.layer,
    PublishedSites.layer,
    PublishedContent.layer,
    MemberVisits.layer,
    SiteRedirects.layer,
    SiteEvents.layer,
    Embeds.layer
  ).pipe(Layer.provide([SiteEditing.layer, RedirectTargets.layer])),
  jobs: Effect.map(SiteEvents, ({ flush, purge }) => [
    housekeepingJob("sites.storeEventCounts", "1 minute", flush),
    housekeepingJob("sites.purgeEventCounts", "1 day", purge)
  ]),
  examinations: [...siteExaminations, ...siteStructureExaminations],
  subscriptions: siteSubscriptions
})
