/** The table of the operations of the API. Add a new operation to the file of its feature; see `OperationRow`. */
import { Api } from "@lectern/client"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { audit } from "./audit.ts"
import { changeRequestContent } from "./changeRequestContent.ts"
import { changeRequests } from "./changeRequests.ts"
import { collections } from "./collections.ts"
import { changeRequestComments, comments } from "./comments.ts"
import { content } from "./content.ts"
import { customFonts } from "./customFonts.ts"
import { exports } from "./exports.ts"
import { git } from "./git.ts"
import { history } from "./history.ts"
import { imports } from "./imports.ts"
import { installedIntegrations, integrations, siteInstallations, spaceInstallations } from "./integrations.ts"
import { invitations } from "./invitations.ts"
import { invites } from "./invites.ts"
import { links } from "./links.ts"
import { members } from "./members.ts"
import { notifications } from "./notifications.ts"
import type { OperationRow } from "./OperationRow.ts"
import { oidc } from "./oidc.ts"
import { openApiSpecs } from "./openApiSpecs.ts"
import { organizations } from "./organizations.ts"
import { pdf } from "./pdf.ts"
import { collectionPermissions, sitePermissions, spacePermissions } from "./permissions.ts"
import { places } from "./places.ts"
import { presence } from "./presence.ts"
import { programs } from "./programs.ts"
import { publishedContent, siteRedirects } from "./publishedContent.ts"
import { reviews } from "./reviews.ts"
import { revisions } from "./revisions.ts"
import { saml } from "./saml.ts"
import type { Scene, SceneIds } from "./scene.ts"
import { search } from "./search.ts"
import { sessions } from "./sessions.ts"
import { siteMcpServers } from "./siteMcpServers.ts"
import { siteScripts } from "./siteScripts.ts"
import { siteExternalLinks, siteSectionGroups, siteSections } from "./siteSections.ts"
import { shareLinks, siteSpaces } from "./siteSpaces.ts"
import { hostnames, siteAdministration, sites } from "./sites.ts"
import { spaces } from "./spaces.ts"
import { teams } from "./teams.ts"
import { organizationTokens, tokens } from "./tokens.ts"
import { glossary, translations } from "./translations.ts"
import { uploads } from "./uploads.ts"
import { users } from "./users.ts"
import { events, webhooks } from "./webhooks.ts"

type GroupsOf<A> = A extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** The id of an operation of the API. */
export type OperationId = HttpApiGroup.Endpoints<GroupsOf<typeof Api>>["identifier"]

/** The row of each operation. A group of `Api` whose rows are missing here does not compile. */
const table: Readonly<Record<OperationId, OperationRow>> = {
  ...users,
  ...sessions,
  ...tokens,
  ...organizationTokens,
  ...programs,
  ...organizations,
  ...members,
  ...teams,
  ...invites,
  ...invitations,
  ...saml,
  ...oidc,
  ...collectionPermissions,
  ...spacePermissions,
  ...sitePermissions,
  ...collections,
  ...spaces,
  ...content,
  ...revisions,
  ...history,
  ...changeRequests,
  ...changeRequestContent,
  ...reviews,
  ...comments,
  ...changeRequestComments,
  ...presence,
  ...sites,
  ...siteSections,
  ...siteSectionGroups,
  ...siteExternalLinks,
  ...siteSpaces,
  ...shareLinks,
  ...siteRedirects,
  ...siteAdministration,
  ...hostnames,
  ...siteMcpServers,
  ...customFonts,
  ...siteScripts,
  ...publishedContent,
  ...places,
  ...notifications,
  ...translations,
  ...glossary,
  ...integrations,
  ...installedIntegrations,
  ...spaceInstallations,
  ...siteInstallations,
  ...openApiSpecs,
  ...search,
  ...links,
  ...pdf,
  ...exports,
  ...git,
  ...uploads,
  ...imports,
  ...events,
  ...webhooks,
  ...audit
}

/** An operation of the API, with its row. */
export interface Operation extends OperationRow {
  readonly id: OperationId
  readonly group: string
  readonly method: string
  /** The path with the version, such as `/v1/spaces/:spaceId`. */
  readonly path: string
  readonly endpoint: HttpApiEndpoint.Top
  /** Whether it can change stored data. */
  readonly isWrite: boolean
}

const reflected: Array<Operation> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ group, endpoint }) => {
    const id = endpoint.identifier as OperationId
    reflected.push({
      ...table[id],
      id,
      group: group.identifier,
      method: endpoint.method,
      path: endpoint.path,
      endpoint: endpoint as HttpApiEndpoint.Top,
      isWrite: endpoint.method !== "GET" && table[id].reads !== true
    })
  }
})

/** Every operation of the API, in the order of `Api`. */
export const operations: ReadonlyArray<Operation> = reflected

/** Returns the path parameters of an operation in a scene. */
export const paramsIn = ({ path, params }: Operation, scene: Scene): SceneIds => ({
  ...scene.ids,
  ...(path.includes("/change-requests/") ? scene.onChangeRequest : {}),
  ...params?.(scene)
})

/** Returns the path of an operation with its parameters replaced, and its query. Throws if a parameter is missing. */
export const addressOf = (
  { id, path, query }: Operation,
  params: Readonly<Record<string, string>>
): string => {
  const address = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) {
      throw new Error(`${id} has no value for :${name}. Add one to the scene, in operations/scene.ts.`)
    }
    return encodeURIComponent(value)
  })
  return query === undefined ? address : `${address}?${query}`
}
