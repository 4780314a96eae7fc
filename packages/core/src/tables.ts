/** Every table of the workspace, each behind those that it refers to. */
import { apiTokens } from "./access/ApiToken.ts"
import { grants } from "./access/Grant.ts"
import { changeRequests, contributors } from "./change-requests/ChangeRequest.ts"
import { collections } from "./collections/Collection.ts"
import { commentReactions, commentReplies, comments } from "./comments/Comment.ts"
import { outlines } from "./content/outline/Outlines.ts"
import { revisions } from "./content/Revision.ts"
import { installations } from "./integrations/Installation.ts"
import { integrationAssets, integrations } from "./integrations/Integration.ts"
import { jobs } from "./jobs/Job.ts"
import { openApiSpecs, openApiTexts, openApiVersions } from "./openapi/OpenApiSpec.ts"
import { invites } from "./organizations/Invite.ts"
import { members } from "./organizations/Member.ts"
import { emailDomains, organizations } from "./organizations/Organization.ts"
import { samlAnswers, samlProviders } from "./organizations/saml/SamlProvider.ts"
import { teamMembers, teams } from "./organizations/Team.ts"
import { users } from "./organizations/User.ts"
import { searchPages } from "./search/SearchPage.ts"
import { secrets } from "./shared/Signatures.ts"
import { shareLinks } from "./sites/ShareLink.ts"
import { sites } from "./sites/Site.ts"
import { siteSectionGroups, siteSections } from "./sites/SiteSection.ts"
import { siteSettings } from "./sites/SiteSettings.ts"
import { siteSpaces } from "./sites/SiteSpace.ts"
import { spaces } from "./spaces/Space.ts"
import { blobs } from "./storage/Blobs.ts"
import type { Table } from "./storage/index.ts"
import { translations } from "./translations/Translation.ts"

export const tables: ReadonlyArray<Table.AnyTable> = [
  users,
  organizations,
  members,
  teams,
  teamMembers,
  apiTokens,
  collections,
  spaces,
  grants,
  changeRequests,
  contributors,
  revisions,
  blobs,
  secrets,
  comments,
  commentReplies,
  commentReactions,
  emailDomains,
  invites,
  samlProviders,
  samlAnswers,
  sites,
  siteSettings,
  siteSectionGroups,
  siteSections,
  siteSpaces,
  shareLinks,
  translations,
  integrations,
  integrationAssets,
  installations,
  jobs,
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  searchPages,
  outlines
]
