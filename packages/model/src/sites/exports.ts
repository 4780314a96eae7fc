export { Condition } from "../conditions/Condition.ts"
export {
  type AdaptiveClaim,
  type AdaptiveClaims,
  AdaptiveJsonSchema,
  AdaptiveSchema,
  UpdateAdaptiveSchema
} from "./AdaptiveSchema.ts"
export {
  CreateCustomFont,
  CustomFont,
  CustomFontId,
  FontDefinition,
  UpdateCustomFont
} from "./CustomFont.ts"
export { Customization, defaultCustomization } from "./Customization.ts"
export { CustomizationOverride } from "./CustomizationOverride.ts"
export { CompleteCustomization, completeCustomization } from "./completeCustomization.ts"
export { Embed, EmbedQuery, embedOf } from "./Embed.ts"
export { CustomHostname, Hostname, Subdomain, SubdomainName } from "./Hostname.ts"
export { type MemberVisit, StartMemberVisit } from "./MemberVisit.ts"
export {
  PublishedLookup,
  PublishedRedirect,
  PublishedSiteContent,
  PublishedUrlQuery,
  ResolvePublishedUrl,
  SiteVisitorPayload
} from "./PublishedLookup.ts"
export { PublishedSite } from "./PublishedSite.ts"
export { PublishingAuth, UpdatePublishingAuth } from "./PublishingAuth.ts"
export { CreateShareLink, ShareLink, ShareLinkId, UpdateShareLink } from "./ShareLink.ts"
export {
  CreateSite,
  ListSites,
  Site,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SiteVisibility,
  ThemedUrl,
  UpdateSite
} from "./Site.ts"
export { type SiteEventType, TrackSiteEvents } from "./SiteEvent.ts"
export {
  AggregatedSiteEvents,
  AggregateSiteEvents,
  SiteEventsColumn,
  SiteEventsFilter,
  SiteEventsRange,
  SiteEventsValues
} from "./SiteEventsAggregation.ts"
export {
  AddSiteExternalLink,
  SiteExternalLink,
  SiteExternalLinkId,
  UpdateSiteExternalLink
} from "./SiteExternalLink.ts"
export {
  SiteInsights,
  SiteInsightsDay,
  SiteInsightsEvent,
  SiteInsightsPage,
  SiteInsightsPath,
  SiteInsightsQuery,
  SiteInsightsRating,
  SiteInsightsSearch
} from "./SiteInsights.ts"
export {
  CreateSiteMcpServer,
  SiteMcpServer,
  SiteMcpServerId,
  UpdateSiteMcpServer
} from "./SiteMcpServer.ts"
export { ListSitePermissions, SitePermission } from "./SitePermission.ts"
export { PreviewSite, SitePreview } from "./SitePreview.ts"
export {
  CreateSiteRedirect,
  ListSiteRedirects,
  ResolvedSiteRedirect,
  SiteRedirect,
  SiteRedirectDestination,
  SiteRedirectId,
  SiteRedirectQuery,
  SiteRedirectTarget,
  UpdateSiteRedirect,
  UpsertedRedirect,
  UpsertedSiteRedirects,
  UpsertSiteRedirects
} from "./SiteRedirect.ts"
export {
  ConsentCategory,
  CreateSiteScript,
  ScriptOrigins,
  ScriptSource,
  ScriptTemplate,
  ScriptTemplateId,
  SiteIntegrationScript,
  SiteScript,
  SiteScriptId,
  UpdateSiteScript
} from "./SiteScript.ts"
export {
  AddSectionToGroup,
  AddSiteSection,
  AddSiteSectionGroup,
  ListSiteSections,
  MoveSiteSection,
  MoveSiteSectionGroup,
  SiteSectionGroupId,
  UpdateSiteSection,
  UpdateSiteSectionGroup
} from "./SiteSection.ts"
export { AddSiteSpace, ListSiteSpaces, MoveSiteSpace, SiteSpace, UpdateSiteSpace } from "./SiteSpace.ts"
export {
  type SectionStructure,
  SiteSection,
  SiteSectionGroup,
  type SiteSpaceStructure,
  SiteStructure,
  SiteStructureItem,
  SiteStructurePointer,
  SortSiteStructure
} from "./SiteStructure.ts"
export {
  isVisitorToken,
  previewToken,
  SiteVisitor,
  tokenOfPreview,
  visitorOfToken,
  visitorToken
} from "./SiteVisitor.ts"
export { TemplateCondition, TemplateConditions, templateConditions } from "./templateConditions.ts"
export { CollectionTarget, SpaceTarget, UrlTarget, UrlTargetQuery } from "./UrlTarget.ts"
export { VisitorQuery } from "./VisitorQuery.ts"
