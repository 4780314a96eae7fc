/** The workspace: every service, composed once, over whatever store is provided. */
import { Layer } from "effect"
import { Access } from "./access/Access.ts"
import { ApiTokens } from "./access/ApiTokens.ts"
import type { Authenticator } from "./access/Authenticator.ts"
import { Grants } from "./access/Grants.ts"
import { ChangeRequests } from "./change-requests/ChangeRequests.ts"
import { Collections } from "./collections/Collections.ts"
import { Containers } from "./collections/Containers.ts"
import { Comments } from "./comments/Comments.ts"
import { Subjects } from "./comments/Subject.ts"
import { ComputedPages } from "./content/ComputedPages.ts"
import { Content } from "./content/Content.ts"
import { ContentAccess } from "./content/ContentAccess.ts"
import { ContentStore } from "./content/ContentStore.ts"
import { FileUrls } from "./content/FileUrls.ts"
import { Imports } from "./content/imports/Imports.ts"
import { Outlines } from "./content/outline/Outlines.ts"
import { Doctor } from "./doctor/Doctor.ts"
import { Installations } from "./integrations/Installations.ts"
import { Integrations } from "./integrations/Integrations.ts"
import { BackgroundWork } from "./jobs/BackgroundWork.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { LinkGraphs } from "./links/LinkGraphs.ts"
import { Links } from "./links/Links.ts"
import { Outside } from "./links/Outside.ts"
import { OpenApiSpecs } from "./openapi/OpenApiSpecs.ts"
import { SpecProcessing } from "./openapi/SpecProcessing.ts"
import { Administration } from "./organizations/Administration.ts"
import { Invites } from "./organizations/Invites.ts"
import { Members } from "./organizations/Members.ts"
import { Organizations } from "./organizations/Organizations.ts"
import { SamlLogins } from "./organizations/saml/SamlLogins.ts"
import { SamlProviders } from "./organizations/saml/SamlProviders.ts"
import { Teams } from "./organizations/Teams.ts"
import { Users } from "./organizations/Users.ts"
import { Pdfs } from "./pdf/Pdfs.ts"
import { PdfUrls } from "./pdf/PdfUrls.ts"
import { Search } from "./search/Search.ts"
import { SearchIndex } from "./search/SearchIndex.ts"
import { Encryption } from "./shared/Encryption.ts"
import { Ids } from "./shared/Id.ts"
import { Signatures } from "./shared/Signatures.ts"
import { PublishedSites } from "./sites/PublishedSites.ts"
import { ShareLinks } from "./sites/ShareLinks.ts"
import { SiteEditing } from "./sites/SiteEditing.ts"
import { SiteSectionGroups } from "./sites/SiteSectionGroups.ts"
import { SiteSections } from "./sites/SiteSections.ts"
import { SiteSpaces } from "./sites/SiteSpaces.ts"
import { Sites } from "./sites/Sites.ts"
import { SitesSettings } from "./sites/SitesSettings.ts"
import { Visitors } from "./sites/Visitors.ts"
import { Spaces } from "./spaces/Spaces.ts"
import { Blobs, Records, type RecordsAdapter } from "./storage/index.ts"
import { Translations } from "./translations/Translations.ts"

/** What callers ask for things: each method acts for the `CurrentUser`. */
export type WorkspaceServices =
  | Users
  | Organizations
  | Members
  | Teams
  | Invites
  | SamlProviders
  | Grants
  | Collections
  | Spaces
  | Content
  | Imports
  | ChangeRequests
  | Comments
  | Sites
  | SiteSections
  | SiteSectionGroups
  | SiteSpaces
  | ShareLinks
  | SitesSettings
  | PublishedSites
  | Translations
  | Integrations
  | Installations
  | OpenApiSpecs
  | Search
  | Links
  | Pdfs

/** What a host and an operator use beside them. */
export type OperatorServices =
  | Administration
  | ApiTokens
  | SamlLogins
  | BackgroundWork
  | Jobs
  | SearchIndex
  | Doctor
  | Records

const foundations = Layer.mergeAll(Blobs.layer, Signatures.layer, Ids.layer).pipe(
  Layer.provideMerge(Records.layer)
)

const sites = Layer.mergeAll(
  Sites.layer,
  SiteSections.layer,
  SiteSectionGroups.layer,
  SiteSpaces.layer,
  ShareLinks.layer,
  SitesSettings.layer,
  PublishedSites.layer
).pipe(Layer.provide([SiteEditing.layer, Visitors.layer]))

/** All services of a workspace but the authenticator, which a host may bring. */
const services = Layer.mergeAll(
  Users.layer,
  Organizations.layer,
  Members.layer,
  Teams.layer,
  Invites.layer,
  SamlProviders.layer,
  Grants.layer,
  Collections.layer,
  sites,
  Translations.layer,
  Integrations.layer,
  Installations.layer,
  OpenApiSpecs.layer,
  Search.layer,
  Links.layer.pipe(Layer.provide([LinkGraphs.layer, Outside.layer])),
  Pdfs.layer,
  BackgroundWork.layer,
  ChangeRequests.layer,
  Comments.layer,
  Imports.layer
).pipe(
  Layer.provideMerge([Spaces.layer, Content.layer]),
  Layer.provide(SpecProcessing.layer),
  Layer.provide([Containers.layer, FileUrls.layer, PdfUrls.layer, Subjects.layer, Encryption.layer]),
  Layer.provide([ContentAccess.layer, ComputedPages.layer]),
  Layer.provideMerge(Doctor.layer),
  Layer.provideMerge(SearchIndex.layer),
  Layer.provide(Outlines.layer),
  Layer.provide(ContentStore.layer),
  Layer.provide(Access.layer),
  Layer.provideMerge(Administration.layer),
  Layer.provideMerge(SamlLogins.layer),
  Layer.provideMerge(Jobs.layer),
  Layer.provideMerge(ApiTokens.layer),
  Layer.provideMerge(foundations)
)

/**
 * The services of a workspace, over a store. Callers are told by Lectern's own API tokens; to replace that, provide
 * another `Authenticator` after this layer.
 */
export const layer: Layer.Layer<WorkspaceServices | OperatorServices | Authenticator, never, RecordsAdapter> =
  ApiTokens.authenticator.pipe(Layer.provideMerge(services))
