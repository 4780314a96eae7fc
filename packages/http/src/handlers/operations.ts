/** Every operation of the API with its handler. */
import { Effect } from "effect"
import { changeRequestContent } from "./change-requests/changeRequestContent.ts"
import { changeRequests } from "./change-requests/changeRequests.ts"
import { collections } from "./collections/collections.ts"
import { changeRequestComments } from "./comments/changeRequestComments.ts"
import { comments } from "./comments/comments.ts"
import { content } from "./content/content.ts"
import { revisions } from "./content/revisions.ts"
import { integrations } from "./integrations/integrations.ts"
import { links } from "./links/links.ts"
import { openApiSpecs } from "./openapi-specs/openApiSpecs.ts"
import { invites } from "./organizations/invites.ts"
import { members } from "./organizations/members.ts"
import { organizations } from "./organizations/organizations.ts"
import { teams } from "./organizations/teams.ts"
import { pdf } from "./pdf/pdf.ts"
import { collectionPermissions, spacePermissions } from "./permissions/permissions.ts"
import { saml } from "./saml/saml.ts"
import { search } from "./search/search.ts"
import { siteSectionGroups, siteSections } from "./sites/siteSections.ts"
import { shareLinks, siteSpaces } from "./sites/siteSpaces.ts"
import { sites } from "./sites/sites.ts"
import { spaces } from "./spaces/spaces.ts"
import { translations } from "./translations/translations.ts"
import { users } from "./users/users.ts"

/** The operations of all groups, over the services of a workspace. */
export const operations = Effect.map(
  Effect.all([
    users,
    organizations,
    members,
    teams,
    invites,
    saml,
    collectionPermissions,
    spacePermissions,
    collections,
    spaces,
    content,
    revisions,
    changeRequests,
    changeRequestContent,
    comments,
    changeRequestComments,
    sites,
    siteSections,
    siteSectionGroups,
    siteSpaces,
    shareLinks,
    translations,
    integrations,
    openApiSpecs,
    search,
    links,
    pdf
  ]),
  (groups) => groups.flat()
)
