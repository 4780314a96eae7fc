/** The operations that tokens of installations can call, by hand: tests compare the server with these lists. */

/** The operations that a token without scopes can call, and operations that require no token. */
export const operationsOfEveryInstallation: ReadonlyArray<string> = [
  "getIntegrationByName",
  "getIntegrationInstallationById",
  "updateIntegrationInstallation",
  "listIntegrationInstallationSpaces",
  "getIntegrationSpaceInstallation",
  "updateIntegrationSpaceInstallation",
  "listIntegrationInstallationSites",
  "getIntegrationSiteInstallation",
  "updateIntegrationSiteInstallation",
  "resolvePublishedContentByUrl",
  "getPublishedContentByUrl",
  "trackEventsInSiteById",
  "getPublishedContentSite",
  "getSiteRedirectBySource",
  "searchSiteContent"
]

/** The operations that each scope adds. */
export const operationsOfScopes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "space:content:read": [
    "getRevisionOfChangeRequestById",
    "listPagesInChangeRequest",
    "listFilesInChangeRequestById",
    "getFileInChangeRequestById",
    "getPageInChangeRequestById",
    "listSpacePageMetaLinks",
    "listRevisionPageMetaLinks",
    "listChangeRequestPageMetaLinks",
    "getPageInChangeRequestByPath",
    "getReusableContentInChangeRequestById",
    "listChangeRequestsForSpace",
    "getChangeRequestById",
    "getChangeRequestChanges",
    "getChangeRequestMergePreview",
    "getCurrentRevision",
    "listPages",
    "listFiles",
    "getFileById",
    "getPageById",
    "getPageByPath",
    "getReusableContentById",
    "getDocumentById",
    "getComputedDocument",
    "listRevisions",
    "listRevisionsOfChangeRequest",
    "listArchivedPages",
    "listSpaceLinks",
    "listPageLinksInSpace",
    "listSpacePageBacklinks",
    "listSpaceFileBacklinks",
    "listSpaceReusableContentBacklinks",
    "listChangeRequestLinks",
    "listPageLinksInChangeRequest",
    "listChangeRequestPageBacklinks",
    "listChangeRequestFileBacklinks",
    "listChangeRequestReusableContentBacklinks",
    "getRevisionById",
    "getRevisionSemanticChanges",
    "listPagesInRevisionById",
    "listFilesInRevisionById",
    "getFileInRevisionById",
    "getPageInRevisionById",
    "getPageDocumentInRevisionById",
    "getPageInRevisionByPath",
    "getReusableContentInRevisionById",
    "getReusableContentDocumentInRevisionById",
    "searchSpaceContent"
  ],
  "space:metadata:read": ["getSpaceById"],
  "space:metadata:write": ["updateSpaceById"],
  "space:git:sync": ["getSpaceGitInfo", "importGitRepository", "exportToGitRepository"],
  "space:content:write": [
    "updateSpaceContent",
    "updateChangeRequestContent",
    "createChangeRequest",
    "updateChangeRequestById",
    "updateChangeRequest"
  ],
  "space:views:read": [],
  "page:feedback:read": [],
  "site:metadata:read": [
    "getSiteById",
    "getSiteStructure",
    "listSiteSpaces",
    "listSiteSections",
    "listSiteSectionGroups",
    "getSiteCustomizationById",
    "getSiteSpaceCustomizationById"
  ],
  "site:views:read": [],
  "site:script:inject": [],
  "site:script:cookies": [],
  "site:visitor:auth": ["getSitePublishingAuthById"],
  "site:adaptive:read": ["getSiteAdaptiveSchema"],
  "site:adaptive:write": ["updateSiteAdaptiveSchema"],
  "openapi:read": [
    "listOpenAPISpecs",
    "getOpenAPISpecBySlug",
    "listOpenAPISpecVersions",
    "getLatestOpenAPISpecVersion",
    "getOpenAPISpecVersionById",
    "getLatestOpenAPISpecVersionContent",
    "getLatestOpenAPISpecVersionContentRaw",
    "getOpenAPISpecVersionContentById"
  ],
  "openapi:write": [
    "createOpenAPISpec",
    "createOrUpdateOpenAPISpecBySlug",
    "updateOpenAPISpecBySlug",
    "deleteOpenAPISpecBySlug"
  ],
  "conversations:ingest": []
}

/** The operations that a token with every scope can call. */
export const operationsOfEveryScope: ReadonlySet<string> = new Set([
  ...operationsOfEveryInstallation,
  ...Object.values(operationsOfScopes).flat()
])
