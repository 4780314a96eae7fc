/** The events of sites, their settings, their structure and their share links. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { SpaceId } from "../spaces/Space.ts"
import { ShareLinkId, shareLinks } from "./ShareLink.ts"
import { AgentsContext, SiteId, SiteSectionId, SiteSpaceId, SiteType, SiteVisibility, sites } from "./Site.ts"
import { siteRedirects } from "./SiteRedirect.ts"
import { SiteSectionGroupId, siteSectionGroups, siteSections } from "./SiteSection.ts"
import { siteSpaces } from "./SiteSpace.ts"
import { siteSettings } from "./siteSettingsTable.ts"

/** The data of the events of a site. */
export class SiteEventData extends resource<SiteEventData>()(
  Schema.Struct({
    id: SiteId,
    organization: OrganizationId,
    type: SiteType,
    title: Schema.String,
    basename: Schema.NullOr(Schema.String),
    proxy: Schema.NullOr(Schema.String),
    visibility: SiteVisibility,
    published: Schema.Boolean,
    adaptive: Schema.Boolean,
    agentsContext: AgentsContext,
    defaultSection: Schema.NullOr(SiteSectionId),
    defaultSiteSpace: Schema.NullOr(SiteSpaceId),
    createdAt: Timestamp
  })
) {}

/** The events of sites. */
export const siteEvents = resourceEvents("site", "A docs site.", sites, {
  data: SiteEventData,
  actions: ["published", "unpublished"],
  actionOf: ({ published }) => (published === undefined ? undefined : published ? "published" : "unpublished")
})

/** The data of the events of a site settings. */
export class SiteSettingsEventData extends resource<SiteSettingsEventData>()(
  Schema.Struct({
    site: SiteId,
    customization: Schema.Unknown,
    adaptiveSchema: Schema.Unknown,
    fallbackURL: Schema.NullOr(Schema.String)
  })
) {}

/** The events of the settings of sites. */
export const siteSettingsEvents = resourceEvents("siteSettings", "The settings of a site.", siteSettings, {
  data: SiteSettingsEventData
})

/** The data of the events of a site section group. */
export class SiteSectionGroupEventData extends resource<SiteSectionGroupEventData>()(
  Schema.Struct({
    id: SiteSectionGroupId,
    site: SiteId,
    position: Schema.String,
    title: Schema.String,
    icon: Schema.NullOr(Schema.String)
  })
) {}

/** The events of section groups. */
export const siteSectionGroupEvents = resourceEvents(
  "siteSectionGroup",
  "A group of sections of a site.",
  siteSectionGroups,
  {
    data: SiteSectionGroupEventData
  }
)

/** The data of the events of a site section. */
export class SiteSectionEventData extends resource<SiteSectionEventData>()(
  Schema.Struct({
    id: SiteSectionId,
    site: SiteId,
    sectionGroup: Schema.NullOr(SiteSectionGroupId),
    position: Schema.String,
    title: Schema.String,
    description: Schema.NullOr(Schema.String),
    path: Schema.String,
    condition: Schema.NullOr(Schema.String),
    icon: Schema.NullOr(Schema.String),
    defaultSiteSpace: Schema.NullOr(SiteSpaceId)
  })
) {}

/** The events of sections. */
export const siteSectionEvents = resourceEvents("siteSection", "A section of a site.", siteSections, {
  data: SiteSectionEventData
})

/** The data of the events of a site space. */
export class SiteSpaceEventData extends resource<SiteSpaceEventData>()(
  Schema.Struct({
    id: SiteSpaceId,
    site: SiteId,
    section: Schema.NullOr(SiteSectionId),
    space: SpaceId,
    position: Schema.String,
    path: Schema.String,
    condition: Schema.NullOr(Schema.String)
  })
) {}

/** The events of spaces on sites. */
export const siteSpaceEvents = resourceEvents("siteSpace", "A space on a site.", siteSpaces, {
  data: SiteSpaceEventData
})

/** The data of the events of a share link. */
export class ShareLinkEventData extends resource<ShareLinkEventData>()(
  Schema.Struct({
    id: ShareLinkId,
    site: SiteId,
    name: Schema.String,
    active: Schema.Boolean,
    createdAt: Timestamp
  })
) {}

/** The events of share links, without their keys. */
export const shareLinkEvents = resourceEvents(
  "shareLink",
  "A share link of a site, without its key.",
  shareLinks,
  {
    data: ShareLinkEventData
  }
)

/** The data of the events of a redirect. */
export class SiteRedirectEventData extends resource<SiteRedirectEventData>()(
  Schema.Struct({ id: Schema.String, site: SiteId, source: Schema.String, destination: Schema.Unknown })
) {}

/** The events of redirects. */
export const siteRedirectEvents = resourceEvents("siteRedirect", "A redirect of a site.", siteRedirects, {
  data: SiteRedirectEventData
})
