/** The operations that the scopes of integrations admit: tokens of installations can call no others. */
import type { IntegrationScope } from "@lectern/model/integrations"

/** The operations that every token of an installation can call, on its own installation. */
const ofEveryInstallation: ReadonlyArray<string> = [
  "Integrations.get",
  "Installations.get",
  "Installations.update",
  "SpaceInstallations.list",
  "SpaceInstallations.get",
  "SpaceInstallations.update",
  "SiteInstallations.list",
  "SiteInstallations.get",
  "SiteInstallations.update"
]

/**
 * The operations that each scope admits. The scopes without an operation are for scripts, views and feedback of visitors, which
 * Lectern does not pass to integrations.
 */
const byScope: Readonly<Record<typeof IntegrationScope.Type, ReadonlyArray<string>>> = {
  "space:content:read": [
    "Content.getRevision",
    "Content.listPages",
    "Content.getPage",
    "Content.getPageByPath",
    "Content.listFiles",
    "Content.getFile",
    "Content.getReusableContent",
    "Content.listChanges",
    "Documents.get",
    "Documents.getOfReusableContent",
    "Documents.compute",
    "ChangeRequests.list",
    "ChangeRequests.get",
    "ChangeRequests.previewMerge",
    "Links.list",
    "Links.listPageLinks",
    "Links.listPageBacklinks",
    "Links.listFileBacklinks",
    "Links.listReusableContentBacklinks",
    "Revisions.list",
    "Revisions.listOfChangeRequest",
    "Revisions.listArchivedPages",
    "Search.searchSpace"
  ],
  "space:content:write": [
    "Content.edit",
    "ChangeRequests.create",
    "ChangeRequests.update",
    "ChangeRequests.updateFromSpace"
  ],
  "space:metadata:read": ["Spaces.get"],
  "space:metadata:write": ["Spaces.update"],
  "space:git:sync": ["GitSync.getInfo", "GitSync.importRepository", "GitSync.exportRepository"],
  "space:views:read": [],
  "page:feedback:read": [],
  "site:metadata:read": [
    "Sites.get",
    "PublishedSites.getStructure",
    "SiteSpaces.list",
    "SiteSections.list",
    "SiteSectionGroups.list",
    "SiteSettings.getCustomization",
    "SiteSpaceCustomizations.get"
  ],
  "site:views:read": [],
  "site:script:inject": [],
  "site:script:cookies": [],
  "site:visitor:auth": ["SiteSettings.getPublishingAuth"],
  "site:adaptive:read": ["SiteSettings.getAdaptiveSchema"],
  "site:adaptive:write": ["SiteSettings.updateAdaptiveSchema"],
  "openapi:read": [
    "OpenApiSpecs.list",
    "OpenApiSpecs.get",
    "OpenApiSpecs.listVersions",
    "OpenApiSpecs.getVersion",
    "OpenApiSpecs.getContent",
    "OpenApiSpecs.getRawContent"
  ],
  "openapi:write": [
    "OpenApiSpecs.create",
    "OpenApiSpecs.createOrUpdate",
    "OpenApiSpecs.update",
    "OpenApiSpecs.remove"
  ],
  "conversations:ingest": []
}

/** Returns the operations that scopes admit, including the operations of every installation. */
export const operationsOfScopes = (scopes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...ofEveryInstallation,
  ...scopes.flatMap((scope) => (Object.hasOwn(byScope, scope) ? byScope[scope as keyof typeof byScope] : []))
]
