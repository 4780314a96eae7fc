/** The workspace: every service, composed once, over whatever store is provided. */
import { Layer } from "effect"
import { Access } from "../access/Access.ts"
import type { Authenticator } from "../access/Authenticator.ts"
import { Operations } from "../access/operations/Operations.ts"
import { ChangeRequests } from "../features/change-requests/ChangeRequests.ts"
import { Collections } from "../features/collections/Collections.ts"
import { Containers } from "../features/collections/Containers.ts"
import { Comments } from "../features/comments/Comments.ts"
import { Subjects } from "../features/comments/CommentTarget.ts"
import { ComputedPages } from "../features/content/ComputedPages.ts"
import { Content } from "../features/content/Content.ts"
import { ContentAccess } from "../features/content/ContentAccess.ts"
import { ContentStore } from "../features/content/ContentStore.ts"
import { FileUrls } from "../features/content/FileUrls.ts"
import { Outlines } from "../features/content/outline/Outlines.ts"
import { Imports } from "../features/imports/Imports.ts"
import { Installations } from "../features/integrations/Installations.ts"
import { Integrations } from "../features/integrations/Integrations.ts"
import { Outside } from "../features/links/ExternalTargets.ts"
import { LinkGraphs } from "../features/links/LinkGraphs.ts"
import { Links } from "../features/links/Links.ts"
import { OpenApiSpecs } from "../features/openapi-specs/OpenApiSpecs.ts"
import { SpecProcessing } from "../features/openapi-specs/SpecProcessing.ts"
import { Administration } from "../features/organizations/Administration.ts"
import { Invites } from "../features/organizations/Invites.ts"
import { Members } from "../features/organizations/Members.ts"
import { Organizations } from "../features/organizations/Organizations.ts"
import { Teams } from "../features/organizations/Teams.ts"
import { Pdfs } from "../features/pdf/Pdfs.ts"
import { PdfUrls } from "../features/pdf/PdfUrls.ts"
import { Permissions } from "../features/permissions/Permissions.ts"
import { SamlLogins } from "../features/saml/SamlLogins.ts"
import { SamlProviders } from "../features/saml/SamlProviders.ts"
import { Search } from "../features/search/Search.ts"
import { SearchIndex } from "../features/search/SearchIndex.ts"
import { searchHandlers } from "../features/search/searchHandlers.ts"
import { PublishedSites } from "../features/sites/PublishedSites.ts"
import { ShareLinks } from "../features/sites/ShareLinks.ts"
import { SiteEditing } from "../features/sites/SiteEditing.ts"
import { SiteSectionGroups } from "../features/sites/SiteSectionGroups.ts"
import { SiteSections } from "../features/sites/SiteSections.ts"
import { SiteSettings } from "../features/sites/SiteSettings.ts"
import { SiteSpaces } from "../features/sites/SiteSpaces.ts"
import { Sites } from "../features/sites/Sites.ts"
import { siteHandlers } from "../features/sites/siteHandlers.ts"
import { Visitors } from "../features/sites/Visitors.ts"
import { Spaces } from "../features/spaces/Spaces.ts"
import { ApiTokens } from "../features/tokens/ApiTokens.ts"
import { Translations } from "../features/translations/Translations.ts"
import { Users } from "../features/users/Users.ts"
import { TransactionEvents } from "../kernel/events/TransactionEvents.ts"
import { Ids } from "../kernel/ids/Ids.ts"
import { Jobs } from "../kernel/jobs/Jobs.ts"
import { Encryption } from "../kernel/security/Encryption.ts"
import { Signatures } from "../kernel/security/Signatures.ts"
import { Blobs, Records, type RecordsAdapter } from "../kernel/storage/index.ts"
import { BackgroundWork } from "./BackgroundWork.ts"
import { Doctor } from "./Doctor.ts"
import type { UserServices } from "./userServices.ts"

/** The services that act for the `CurrentUser`. */
export type WorkspaceServices = UserServices

/** What a host and an operator use beside them. */
export type OperatorServices =
  | Administration
  | ApiTokens
  | SamlLogins
  | BackgroundWork
  | Jobs
  | SearchIndex
  | Doctor
  | Operations
  | Records

const foundations = Layer.mergeAll(Blobs.layer, Signatures.layer, Ids.layer, TransactionEvents.layer).pipe(
  Layer.provideMerge(Records.layer)
)

const sites = Layer.mergeAll(
  Sites.layer,
  SiteSections.layer,
  SiteSectionGroups.layer,
  SiteSpaces.layer,
  ShareLinks.layer,
  SiteSettings.layer,
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
  Permissions.layer,
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
  Layer.provideMerge([searchHandlers, siteHandlers]),
  Layer.provideMerge(Doctor.layer),
  Layer.provideMerge(SearchIndex.layer),
  Layer.provide(Outlines.layer),
  Layer.provide(ContentStore.layer),
  Layer.provideMerge([Administration.layer, SamlLogins.layer]),
  Layer.provideMerge(ApiTokens.layer),
  Layer.provideMerge(Operations.layer),
  Layer.provide(Access.layer),
  Layer.provideMerge(Jobs.layer),
  Layer.provideMerge(foundations)
)

/**
 * The services of a workspace, over a store. Requests are authenticated by Lectern's own API tokens; to replace that, provide
 * another `Authenticator` after this layer.
 */
export const layer: Layer.Layer<WorkspaceServices | OperatorServices | Authenticator, never, RecordsAdapter> =
  ApiTokens.authenticator.pipe(Layer.provideMerge(services))
