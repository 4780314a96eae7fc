/** Every table of the workspace, each behind those that it refers to. */

import { outlines } from "../features/content/outline/Outlines.ts"
import { jobs } from "../kernel/jobs/Job.ts"
import { secrets } from "../kernel/security/Signatures.ts"
import { blobs } from "../kernel/storage/Blobs.ts"
import type { Table } from "../kernel/storage/index.ts"
import { changeRequests, contributors } from "../model/change-requests/ChangeRequest.ts"
import { collections } from "../model/collections/Collection.ts"
import { commentReactions, commentReplies, comments } from "../model/comments/Comment.ts"
import { revisions } from "../model/content/Revision.ts"
import { installations } from "../model/integrations/Installation.ts"
import { integrationAssets, integrations } from "../model/integrations/Integration.ts"
import { openApiSpecs, openApiTexts, openApiVersions } from "../model/openapi-specs/OpenApiSpec.ts"
import { invites } from "../model/organizations/Invite.ts"
import { members } from "../model/organizations/Member.ts"
import { emailDomains, organizations } from "../model/organizations/Organization.ts"
import { teamMembers, teams } from "../model/organizations/Team.ts"
import { grants } from "../model/permissions/Permission.ts"
import { samlAnswers, samlProviders } from "../model/saml/SamlProvider.ts"
import { searchPages } from "../model/search/SearchPage.ts"
import { shareLinks } from "../model/sites/ShareLink.ts"
import { sites } from "../model/sites/Site.ts"
import { siteSectionGroups, siteSections } from "../model/sites/SiteSection.ts"
import { siteSpaces } from "../model/sites/SiteSpace.ts"
import { siteSettings } from "../model/sites/siteSettingsTable.ts"
import { spaces } from "../model/spaces/Space.ts"
import { apiTokens } from "../model/tokens/ApiToken.ts"
import { translations } from "../model/translations/Translation.ts"
import { users } from "../model/users/User.ts"

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
