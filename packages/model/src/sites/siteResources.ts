/** The events of sites, their settings, their structure and their share links. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { CustomFontId } from "./CustomFont.ts"
import { ShareLinkId } from "./ShareLink.ts"
import { AgentsContext, SiteId, SiteSectionId, SiteSpaceId, SiteType, SiteVisibility } from "./Site.ts"
import { SiteExternalLinkId } from "./SiteExternalLink.ts"
import { SiteMcpServerId } from "./SiteMcpServer.ts"
import { SiteScriptId } from "./SiteScript.ts"
import { SiteSectionGroupId } from "./SiteSection.ts"

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

/** The data of the events of a site settings. */
export class SiteSettingsEventData extends resource<SiteSettingsEventData>()(
  Schema.Struct({
    site: SiteId,
    customization: Schema.Unknown,
    adaptiveSchema: Schema.Unknown,
    fallbackURL: Schema.NullOr(Schema.String)
  })
) {}

/** The data of the events of the customization of a space on a site. */
export class SiteSpaceCustomizationEventData extends resource<SiteSpaceCustomizationEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    siteSpace: SiteSpaceId,
    site: SiteId,
    override: Schema.Unknown
  })
) {}

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

/** The data of the events of a link in the structure of a site. */
export class SiteExternalLinkEventData extends resource<SiteExternalLinkEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    id: SiteExternalLinkId,
    site: SiteId,
    sectionGroup: Schema.NullOr(SiteSectionGroupId),
    position: Schema.String,
    title: Schema.String,
    description: Schema.NullOr(Schema.String),
    url: Schema.String,
    icon: Schema.NullOr(Schema.String),
    condition: Schema.NullOr(Schema.String),
    draft: Schema.Boolean
  })
) {}

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

/** The data of the events of a redirect. */
export class SiteRedirectEventData extends resource<SiteRedirectEventData>()(
  Schema.Struct({
    id: Schema.String,
    site: SiteId,
    source: Schema.String,
    destination: Schema.Unknown,
    draft: Schema.Boolean,
    captureWildcard: Schema.Boolean,
    permanent: Schema.Boolean
  })
) {}

/** The data of the events of an MCP server, without its headers. */
export class SiteMcpServerEventData extends resource<SiteMcpServerEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    id: SiteMcpServerId,
    site: SiteId,
    name: Schema.String,
    url: Schema.String,
    transport: Schema.String
  })
) {}

/** The data of the events of a font of an organization, without its files. */
export class CustomFontEventData extends resource<CustomFontEventData>()(
  Schema.Struct({ organization: OrganizationId, id: CustomFontId, family: Schema.String })
) {}

/** The data of the events of a script of a site, without its source. */
export class SiteScriptEventData extends resource<SiteScriptEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    id: SiteScriptId,
    site: SiteId,
    name: Schema.String,
    enabled: Schema.Boolean
  })
) {}
