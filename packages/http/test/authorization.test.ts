/**
 * Who may do what (decision D5), for every operation: each role, however somebody comes by it, is answered as the
 * policy says, and who may not see something is answered as if it were not there.
 */

import { Api } from "@lectern/client"
import { BackgroundWork, type DefaultLevel, Policy, type Role, type RoleOrGuest, roles } from "@lectern/core"
import { WorkspaceModel } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer, Result, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, it, onTestFinished } from "vitest"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { startServer, type TestServer } from "./support.ts"

/** What each operation needs, by the names of the policy. What is on another's is named so. */
const rules: { readonly [rule: string]: ReadonlyArray<string> } = {
  anybody: [
    "getAuthenticatedUser",
    "listOrganizationsForAuthenticatedUser",
    "getOrganizationsForEmailDomain",
    "getOrganizationInviteLink",
    "joinOrganizationWithInvite",
    "listIntegrations",
    "getIntegrationByName",
    "listIntegrationInstallations"
  ],
  "organization.listTranslations": ["listTranslations", "getTranslation"],
  "organization.listSpecs": [
    "listOpenAPISpecs",
    "getOpenAPISpecBySlug",
    "listOpenAPISpecVersions",
    "getLatestOpenAPISpecVersion",
    "getLatestOpenAPISpecVersionContent",
    "getOpenAPISpecVersionById",
    "getOpenAPISpecVersionContentById"
  ],
  "integration.remove": ["unpublishIntegration"],
  "installation.change": [
    "getIntegrationInstallationById",
    "updateIntegrationInstallation",
    "uninstallIntegration"
  ],
  "organization.view": ["getOrganizationById", "updateOrganizationMemberLastSeenAt"],
  "organization.signOn": ["listSSOProviderLoginsInOrganization"],
  "organization.list": [
    "listSpacesInOrganizationById",
    "listCollectionsInOrganizationById",
    "searchOrganizationContent"
  ],
  "organization.listMembers": ["listMembersInOrganizationById", "listTeamsInOrganizationById"],
  "organization.listSites": ["listSites"],
  "organization.create": [
    "createSpace",
    "createCollection",
    "createSite",
    "createOpenAPISpec",
    "createOrUpdateOpenAPISpecBySlug",
    "deleteOpenAPISpecBySlug",
    "createTranslation",
    "updateTranslation",
    "deleteTranslation"
  ],
  "organization.administrate": [
    "updateOrganizationById",
    "publishIntegration",
    "installIntegration",
    "createOrganizationTeam",
    "listOrganizationInviteLinks",
    "createOrganizationInvite",
    "updateOrganizationInviteById",
    "deleteOrganizationInviteById",
    "inviteUsersToOrganization",
    "listSAMLProvidersInOrganizationById",
    "createOrganizationSAMLProvider",
    "getOrganizationSAMLProviderById",
    "updateOrganizationSAMLProvider",
    "deleteOrganizationSAMLProvider"
  ],
  "member.view.other": ["getMemberInOrganizationById", "listTeamsForOrganizationMember"],
  "member.inspect.other": ["listSpacesForOrganizationMember"],
  "member.change.other": [
    "updateMemberInOrganizationById",
    "setUserAsSSOMemberForOrganization",
    "removeMemberFromOrganizationById"
  ],
  "user.view": ["getUserById"],
  "user.change": ["updateUserById"],
  "team.view": ["getTeamInOrganizationById"],
  "team.listMembers": ["listTeamMembersInOrganizationById"],
  "team.manage": [
    "updateTeamInOrganizationById",
    "updateMembersInOrganizationTeam",
    "addMemberToOrganizationTeamById",
    "deleteMemberFromOrganizationTeamById"
  ],
  "team.remove": ["removeTeamFromOrganizationById"],
  "site.view": [
    "getSiteById",
    "getPublishedContentSite",
    "getSiteStructure",
    "getSiteAdaptiveSchema",
    "getSiteCustomizationById",
    "listSiteSections",
    "listSiteSectionGroups",
    "listSiteSpaces"
  ],
  "site.edit": [
    "updateSiteById",
    "publishSite",
    "unpublishSite",
    "updateSiteAdaptiveSchema",
    "updateSiteCustomizationById",
    "deleteSiteSectionById",
    "updateSiteSectionById",
    "moveSiteSection",
    "addSectionGroupToSite",
    "deleteSiteSectionGroupById",
    "updateSiteSectionGroupById",
    "addSectionToGroup",
    "removeSectionFromGroup",
    "moveSiteSectionGroup",
    "deleteSiteSpaceById",
    "updateSiteSpaceById",
    "moveSiteSpace",
    "listSiteShareLinks",
    "createSiteShareLink",
    "deleteSiteShareLinkById",
    "updateSiteShareLinkById"
  ],
  "site.edit, space.publish": ["addSectionToSite", "addSpaceToSite"],
  "site.configure": [
    "getSitePublishingAuthById",
    "updateSitePublishingAuthById",
    "regenerateSitePublishingAuthById"
  ],
  "site.remove": ["deleteSiteById"],
  "collection.view": ["getCollectionById"],
  "collection.list": ["listSpacesInCollectionById"],
  "collection.rename": ["updateCollectionById"],
  "collection.move": ["moveCollection"],
  "collection.remove": ["deleteCollectionById"],
  "collection.transfer": ["transferCollection"],
  "collection.share": [
    "inviteToCollection",
    "updateUserPermissionInCollection",
    "removeUserFromCollection",
    "updateTeamPermissionInCollection",
    "removeTeamFromCollection"
  ],
  "collection.view, organization.listMembers": [
    "listUserPermissionsInCollection",
    "listTeamPermissionsInCollection",
    "listPermissionsAggregateInCollection"
  ],
  "space.view": ["getSpaceById"],
  "space.read": [
    "getCurrentRevision",
    "searchSpaceContent",
    "listSpaceLinks",
    "listPageLinksInSpace",
    "listSpacePageBacklinks",
    "listSpaceFileBacklinks",
    "listPages",
    "listFiles",
    "getFileById",
    "getPageById",
    "getPageByPath",
    "getReusableContentById",
    "getRevisionById",
    "getRevisionSemanticChanges",
    "listPagesInRevisionById",
    "listFilesInRevisionById",
    "getFileInRevisionById",
    "getPageInRevisionById",
    "getPageInRevisionByPath",
    "getPageDocumentInRevisionById",
    "getReusableContentInRevisionById",
    "listChangeRequestsForSpace",
    "listCommentsInSpace",
    "listCommentersInSpace",
    "getCommentInSpace",
    "listCommentRepliesInSpace",
    "getCommentReplyInSpace",
    "getSpacePDF"
  ],
  "space.comment": ["postCommentInSpace"],
  "space.edit": ["updateSpaceContent", "importContent"],
  "space.propose": ["createChangeRequest"],
  "space.rename": ["updateSpaceById"],
  "space.move": ["moveSpace"],
  "space.duplicate, parent.create": ["duplicateSpace"],
  "space.remove": ["deleteSpaceById"],
  "bin.restore": ["restoreSpace"],
  "space.transfer": ["transferSpace"],
  "space.share": [
    "inviteToSpace",
    "updateUserPermissionInSpace",
    "removeUserFromSpace",
    "updateTeamPermissionInSpace",
    "removeTeamFromSpace"
  ],
  "space.view, organization.listMembers": [
    "listUserPermissionsInSpace",
    "listTeamPermissionsInSpace",
    "listPermissionsAggregateInSpace"
  ],
  "changeRequest.view.other": [
    "getChangeRequestById",
    "getChangeRequestChanges",
    "getRevisionOfChangeRequestById",
    "listPagesInChangeRequest",
    "listChangeRequestLinks",
    "listPageLinksInChangeRequest",
    "listChangeRequestPageBacklinks",
    "listChangeRequestFileBacklinks",
    "listFilesInChangeRequestById",
    "getFileInChangeRequestById",
    "getPageInChangeRequestById",
    "getPageInChangeRequestByPath",
    "getReusableContentInChangeRequestById",
    "listCommentsInChangeRequest",
    "listCommentersInChangeRequest",
    "getCommentInChangeRequest",
    "listCommentRepliesInChangeRequest",
    "getCommentReplyInChangeRequest",
    "getChangeRequestPDF"
  ],
  "changeRequest.edit.other": [
    "updateChangeRequestById",
    "updateChangeRequest",
    "updateChangeRequestContent",
    "importContentInChangeRequest"
  ],
  "changeRequest.merge.other": ["mergeChangeRequest"],
  "comment.reply.other": [
    "postCommentInChangeRequest",
    "postCommentReplyInSpace",
    "postCommentReplyInChangeRequest",
    "updateCommentReplyInSpace",
    "updateCommentReplyInChangeRequest"
  ],
  "comment.resolve.other": ["updateCommentInSpace", "updateCommentInChangeRequest"],
  "comment.delete.other": [
    "deleteCommentInSpace",
    "deleteCommentInChangeRequest",
    "deleteCommentReplyInSpace",
    "deleteCommentReplyInChangeRequest"
  ]
}

/** The rules of what the path names alone, where the body names more. */
const pathRules: { readonly [operation: string]: string } = {
  createSpace: "organization.view",
  createCollection: "organization.view",
  publishIntegration: "anybody",
  installIntegration: "anybody",
  addSectionToSite: "site.edit",
  addSpaceToSite: "site.edit",
  updateCommentInSpace: "comment.reply.other",
  updateCommentInChangeRequest: "comment.reply.other"
}

const imported = { url: "https://example.com/page.md", source: "markdown" }
const said = { body: { markdown: "Words." } }
const integration = (organization: string) => ({
  organization,
  title: "Integration",
  description: "",
  script: "x",
  scopes: [],
  visibility: "public"
})
const spec = { text: JSON.stringify({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths: {} }) }
const jsonSchema = { type: "object", properties: {}, additionalProperties: false }
const page = { operation: "insert_page", document: { markdown: "# Another\n\nText." } }

/** The bodies of the operations that take one. */
const bodies: { readonly [operation: string]: (scene: Scene) => unknown } = {
  updateUserById: () => ({ displayName: "Bob" }),
  updateOrganizationById: () => ({ title: "New" }),
  createSpace: () => ({}),
  createCollection: () => ({}),
  createOrganizationTeam: () => ({ title: "New" }),
  createOrganizationInvite: () => ({ role: "read" }),
  updateOrganizationInviteById: () => ({ role: "comment" }),
  inviteUsersToOrganization: () => ({ emails: ["cy@example.com"] }),
  createOrganizationSAMLProvider: () => ({ label: "New" }),
  updateOrganizationSAMLProvider: () => ({ label: "New" }),
  updateMemberInOrganizationById: () => ({ role: "comment" }),
  updateTeamInOrganizationById: () => ({ title: "New" }),
  updateMembersInOrganizationTeam: ({ ids }) => ({ add: [ids.userId] }),
  addMemberToOrganizationTeamById: () => ({ role: "owner" }),
  updateCollectionById: () => ({ title: "New" }),
  moveCollection: () => ({}),
  transferCollection: ({ elsewhere }) => ({ organization: elsewhere }),
  inviteToCollection: ({ ids }) => ({ users: [ids.userId], role: "read" }),
  updateUserPermissionInCollection: () => ({ role: "edit" }),
  updateTeamPermissionInCollection: () => ({ role: "edit" }),
  createOpenAPISpec: () => ({ slug: "new", source: spec }),
  createOrUpdateOpenAPISpecBySlug: () => ({ source: spec }),
  createTranslation: () => ({ title: "New" }),
  updateTranslation: () => ({ title: "New" }),
  publishIntegration: ({ ids }) => integration(ids.organizationId!),
  installIntegration: ({ ids }) => ({ organization: ids.organizationId }),
  updateIntegrationInstallation: () => ({ configuration: { key: "value" } }),
  createSite: () => ({}),
  updateSiteById: () => ({ title: "New" }),
  updateSiteAdaptiveSchema: () => ({ jsonSchema }),
  updateSiteCustomizationById: ({ customization }) => customization,
  updateSitePublishingAuthById: () => ({ fallbackURL: "https://example.com" }),
  addSectionToSite: ({ ids }) => ({ spaceId: ids.spaceId }),
  updateSiteSectionById: () => ({ title: "New" }),
  moveSiteSection: () => ({}),
  addSectionGroupToSite: () => ({ title: "New" }),
  updateSiteSectionGroupById: () => ({ title: "New" }),
  addSectionToGroup: ({ ids }) => ({ sectionId: ids.siteSectionId }),
  moveSiteSectionGroup: () => ({}),
  addSpaceToSite: ({ ids }) => ({ spaceId: ids.spaceId }),
  updateSiteSpaceById: () => ({ path: "new" }),
  moveSiteSpace: () => ({}),
  createSiteShareLink: () => ({ name: "New" }),
  updateSiteShareLinkById: () => ({ name: "New" }),
  updateSpaceById: () => ({ title: "New" }),
  moveSpace: () => ({}),
  transferSpace: ({ elsewhere }) => ({ organization: elsewhere }),
  inviteToSpace: ({ ids }) => ({ users: [ids.userId], role: "read" }),
  updateUserPermissionInSpace: () => ({ role: "edit" }),
  updateTeamPermissionInSpace: () => ({ role: "edit" }),
  updateSpaceContent: () => ({ changes: [page] }),
  createChangeRequest: () => ({}),
  updateChangeRequestById: () => ({ subject: "New" }),
  updateChangeRequestContent: () => ({ changes: [page] }),
  importContent: () => imported,
  importContentInChangeRequest: () => imported,
  postCommentInSpace: () => said,
  postCommentInChangeRequest: () => said,
  postCommentReplyInSpace: () => said,
  postCommentReplyInChangeRequest: () => said,
  updateCommentInSpace: () => ({ resolved: true }),
  updateCommentInChangeRequest: () => ({ resolved: true }),
  updateCommentReplyInSpace: () => ({ addedReactions: ["👍"] }),
  updateCommentReplyInChangeRequest: () => ({ addedReactions: ["👍"] })
}

/** How somebody comes by what they are: in the organization, by the level of content, by a grant, in the team. */
interface Placement {
  readonly name: string
  readonly member: RoleOrGuest | "outsider"
  readonly level: DefaultLevel
  readonly grant?: { readonly to: "user" | "team"; readonly on: "itself" | "above"; readonly role: Role }
  readonly team?: "owner" | "member"
}

const placements: ReadonlyArray<Placement> = [
  { name: "an outsider", member: "outsider", level: "inherit" },
  { name: "a guest without a grant", member: null, level: "admin" },
  { name: "a member whom content is closed to", member: "create", level: null },
  ...roles.map((role) => ({ name: `a member, ${role}`, member: role, level: "inherit" as const })),
  ...roles.map((role) => ({ name: `a reader, ${role} by the level`, member: "read" as const, level: role })),
  ...roles.flatMap((role) =>
    (["user", "team"] as const).flatMap((to) =>
      (["itself", "above"] as const).map((on) => ({
        name: `a guest, ${role} by a grant to the ${to} on ${on}`,
        member: null,
        level: "inherit" as const,
        grant: { to, on, role }
      }))
    )
  ),
  { name: "a guest who owns the team", member: null, level: "inherit", team: "owner" },
  { name: "a reader who owns the team", member: "read", level: "inherit", team: "owner" },
  { name: "a reader in the team", member: "read", level: "inherit", team: "member" }
]

/** What an operation is tried on: everything that its path can name, with what the policy says of the caller there. */
interface Scene {
  readonly ids: Readonly<Record<string, string>>
  /** The comments and replies that are on the change request. */
  readonly onChangeRequest: Readonly<Record<string, string>>
  readonly elsewhere: string
  readonly customization: unknown
  /** The name of an integration that is not installed. */
  readonly free: string
  /** The role of the caller on each item. */
  readonly role: (item: "space" | "collection" | "parent") => RoleOrGuest
}

type Made = { readonly id: string }

/** An organization with its people, for one placement. */
const assemble = async (server: TestServer, placement: Placement) => {
  const { core } = server
  const [owner, caller] = [
    await core.createUser("owner@example.com"),
    await core.createUser("caller@example.com")
  ]
  const organization = await core.createOrganization("Acme", owner)
  const elsewhere = await core.createOrganization("Elsewhere", caller)
  const [ownerToken, token] = [await server.tokenOf(owner), await server.tokenOf(caller)]
  const place = placement.team ?? (placement.grant?.to === "team" ? "member" : undefined)
  let people = 0

  const call = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: ownerToken, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const org = `/orgs/${organization}`

  /** Everything that an operation can be tried on. */
  const scene = async (): Promise<Scene> => {
    if (placement.member === "outsider") {
      await server.fetch(`/v1${org}/members/${caller}`, { method: "DELETE", token: ownerToken })
    } else await core.setMember(organization, caller, placement.member)
    const bob = await core.createUser(`bob-${people++}@example.com`)
    await core.setMember(organization, bob, "read")
    const team = await call<Made>("PUT", `${org}/teams`, { title: "Team", members: [bob] })
    if (place !== undefined) {
      await call("PUT", `${org}/teams/${team.id}/members/${caller}`, { role: place })
    }
    const invite = await call<Made>("POST", `${org}/link-invites`, { role: null })
    const saml = await call<Made>("POST", `${org}/saml`, { label: "Acme" })

    const above = await call<Made>("POST", `${org}/collections`, {})
    const parent = await call<Made>("POST", `${org}/collections`, { parent: above.id })
    const collection = await call<Made>("POST", `${org}/collections`, { parent: parent.id })
    const space = await call<Made>("POST", `${org}/spaces`, { parent: parent.id })
    const model = new WorkspaceModel(0)
    const item = (kind: "space" | "collection", id: string, above: string | null, level: DefaultLevel) =>
      model.addItem({
        kind,
        id,
        organization,
        parent: above,
        title: "",
        level,
        editMode: "live",
        deletedAt: undefined
      })
    item("collection", above.id, null, "inherit")
    item("collection", parent.id, above.id, "inherit")
    item("collection", collection.id, parent.id, placement.level)
    item("space", space.id, parent.id, placement.level)
    if (placement.member !== "outsider") {
      model.members.set(organization, new Map([[caller, placement.member]]))
    }
    for (const [kind, { id }] of [["space", space] as const, ["collection", collection] as const]) {
      await call("PATCH", `/${kind}s/${id}`, { defaultLevel: placement.level })
      for (const whom of ["users", "teams"]) {
        await call("POST", `/${kind}s/${id}/permissions`, {
          role: "read",
          [whom]: [whom === "users" ? bob : team.id]
        })
      }
    }
    const { grant } = placement
    const targets = grant?.on === "above" ? [above.id] : [space.id, collection.id]
    for (const target of grant === undefined ? [] : targets) {
      const kind = target === space.id ? "space" : "collection"
      await core.grant({
        organization,
        kind,
        target,
        role: grant!.role,
        ...(grant!.to === "user" ? { user: caller } : { team: team.id })
      })
      model.grants = [...model.grants, { target, role: grant!.role, user: caller }]
    }
    // The team is shared the space with, and so is whoever is in it.
    if (place !== undefined && grant?.to !== "team") {
      model.grants = [
        ...model.grants,
        ...[space.id, collection.id].map((target) => ({ target, role: "read" as const, user: caller }))
      ]
    }

    const at = `/spaces/${space.id}`
    const image = { name: "a.png", contentType: "image/png", base64: "iVBORw0KGgo=" }
    const reusable = { operation: "insert_reusable_content", title: "Note", document: { markdown: "Note." } }
    await call("POST", `${at}/content`, {
      changes: [
        { operation: "insert_page", document: { markdown: "# Intro\n\nText." } },
        { operation: "insert_files", files: [image] },
        reusable
      ]
    })
    const content = await call<{
      id: string
      pages: ReadonlyArray<Made>
      files: ReadonlyArray<Made>
      reusableContents: ReadonlyArray<Made>
    }>("GET", `${at}/content`)
    const proposal = await call<Made>("POST", `${at}/change-requests`, {})
    const thread = async (base: string) => {
      const comment = await call<Made>("POST", `${base}/comments`, said)
      const reply = await call<Made>("POST", `${base}/comments/${comment.id}/replies`, said)
      return { commentId: comment.id, commentReplyId: reply.id }
    }
    // A published site with a section, in a group.
    const onSite = await call<Made>("POST", `${org}/spaces`, {})
    const site = await call<Made>("POST", `${org}/sites`, { title: "Docs" })
    const siteAt = `${org}/sites/${site.id}`
    const section = await call<Made & { siteSpaces: ReadonlyArray<Made> }>("POST", `${siteAt}/sections`, {
      spaceId: onSite.id
    })
    const group = await call<Made>("POST", `${siteAt}/section-groups`, {
      title: "Group",
      sections: [section.id]
    })
    const link = await call<Made>("POST", `${siteAt}/share-links`, { name: "Link" })
    await call("PUT", `${siteAt}/adaptive-schema`, { jsonSchema })
    await call("POST", `${siteAt}/publish`)
    const translation = await call<Made>("POST", `${org}/translations`, { title: "Translation" })
    const specSlug = `spec-${people}`
    await call("POST", `${org}/openapi`, { slug: specSlug, source: spec })
    await core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        core.clock
      )
    )
    const version = await call<Made>("GET", `${org}/openapi/${specSlug}/versions/latest`)
    const name = `integration-${people}`
    await call("POST", `/integrations/${name}`, integration(organization))
    const installation = await call<Made>("POST", `/integrations/${name}/installations`, { organization })
    const free = `free-${people}`
    await call("POST", `/integrations/${free}`, integration(organization))
    return {
      elsewhere,
      free,
      customization: await call("GET", `${siteAt}/customization`),
      role: (what) => model.roleOn(caller, model.items.get({ space, collection, parent }[what].id)!),
      ids: {
        organizationId: organization,
        spaceId: space.id,
        collectionId: collection.id,
        userId: bob,
        teamId: team.id,
        inviteId: invite.id,
        samlProviderId: saml.id,
        emailDomain: "example.com",
        revisionId: content.id,
        pageId: content.pages[0]!.id,
        pagePath: "intro",
        fileId: content.files[0]!.id,
        reusableContentId: content.reusableContents[0]!.id,
        changeRequestId: proposal.id,
        siteId: site.id,
        siteSectionId: section.id,
        siteSectionGroupId: group.id,
        siteSpaceId: section.siteSpaces[0]!.id,
        shareLinkId: link.id,
        translationSettingsId: translation.id,
        specSlug,
        versionId: version.id,
        integrationName: name,
        installationId: installation.id,
        ...(await thread(at))
      },
      onChangeRequest: await thread(`${at}/change-requests/${proposal.id}`)
    }
  }
  return { scene, token, call, place: place ?? ("outside" as const) }
}

const atLeast = (role: RoleOrGuest, needed: Role) =>
  role !== null && roles.indexOf(role) >= roles.indexOf(needed)

/** The status that a part of a rule comes to: 404 where there is nothing to see, 403 where the role is too low. */
const statusOf = (
  part: string,
  placement: Placement,
  place: "owner" | "member" | "outside",
  scene: Scene
): 200 | 403 | 404 => {
  const [noun, action, whose] = part.split(".") as [string, string, "own" | "other" | undefined]
  const { member } = placement
  const inOrganization = (needed: RoleOrGuest) =>
    member === "outsider" ? 404 : needed === null || atLeast(member, needed) ? 200 : 403
  const onContent = (role: RoleOrGuest, needed: Role | null) =>
    !atLeast(role, "read") ? 404 : needed !== null && atLeast(role, needed) ? 200 : 403
  const policy = <P extends object>(table: P): P[keyof P] => {
    expect(table, part).toHaveProperty(action)
    return table[action as keyof P]
  }
  switch (noun) {
    case "anybody":
      return 200
    case "organization":
      return inOrganization(policy(Policy.organizationActions))
    case "member":
    case "user": {
      // Those who may not list members do not learn who is one.
      if (inOrganization(Policy.organizationActions.listMembers) !== 200) return 404
      if (noun === "user") return action === "view" ? 200 : 403
      return inOrganization(policy(Policy.memberActions)[whose!])
    }
    case "team": {
      if (member === "outsider" || inOrganization(Policy.teamActions.view[place]) !== 200) return 404
      return inOrganization(policy(Policy.teamActions)[place])
    }
    // One that is public is there for everybody.
    case "integration":
      return member === "admin" ? 200 : 403
    case "installation":
      return member === "admin" ? 200 : 404
    case "site": {
      if (member === "outsider" || !atLeast(member, Policy.siteActions.view)) return 404
      return inOrganization(policy(Policy.siteActions))
    }
    case "space":
      return onContent(scene.role("space"), policy(Policy.spaceActions))
    case "bin":
      return atLeast(scene.role("space"), Policy.spaceActions.restore) ? 200 : 404
    case "collection":
      return onContent(scene.role("collection"), policy(Policy.collectionActions))
    case "parent":
      // Whoever sees the space knows that it is in a collection.
      return atLeast(scene.role("parent"), policy(Policy.collectionActions)) ? 200 : 403
    case "changeRequest":
      return onContent(scene.role("space"), policy(Policy.changeRequestActions)[whose!])
    case "comment":
      return onContent(scene.role("space"), policy(Policy.commentActions)[whose!])
    default:
      throw new Error(`What is ${noun}?`)
  }
}

/** A query that the schema rejects: each parameter has a value that none is. Undefined if it accepts that. */
const invalidQueryOf = (query: Schema.Top | undefined): string | undefined => {
  if (query?.ast._tag !== "Objects") return undefined
  const names = query.ast.propertySignatures.map(({ name }) => String(name))
  const decode = Schema.decodeUnknownResult(
    Schema.toCodecArrayFromSingle(query) as Schema.Codec<unknown, unknown>
  )
  const isInvalid = Result.isFailure(decode(Object.fromEntries(names.map((name) => [name, "\u0001"]))))
  return isInvalid ? names.map((name) => `${name}=%01`).join("&") : undefined
}

const operations: Array<{
  readonly id: string
  readonly method: string
  readonly path: string
  readonly invalidQuery: string | undefined
}> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) =>
    operations.push({
      id: endpoint.identifier,
      method: endpoint.method,
      path: endpoint.path,
      invalidQuery: invalidQueryOf(endpoint.query)
    })
})
const ruleOf = new Map(
  Object.entries(rules).flatMap(([rule, ids]) => ids.map((id) => [id, rule.split(", ")] as const))
)

it("every operation has a rule, and every rule is about an operation", () => {
  expect([...ruleOf.keys()].sort()).toEqual(operations.map(({ id }) => id).sort())
  for (const id of Object.keys(pathRules)) expect(ruleOf.has(id), id).toBe(true)
  // Most operations take something that can be invalid.
  const invalid = operations.filter(({ id, invalidQuery }) => bodies[id] ?? invalidQuery)
  expect(invalid.length).toBeGreaterThan(100)
})

describe("every operation answers as the policy says", () => {
  for (const placement of placements) {
    it(placement.name, async () => {
      const server = await startServer(Layer.provideMerge(MemoryStorage.layer(), fakeFetcher))
      onTestFinished(() => server.close())
      const { scene: build, token, call, place } = await assemble(server, placement)
      let scene = await build()
      const answers: Array<readonly [string, number]> = []
      const expected: Array<readonly [string, number]> = []
      for (const { id, method, path, invalidQuery } of operations) {
        if (id === "restoreSpace") await call("DELETE", `/spaces/${scene.ids.spaceId}`)
        const outcomes = ruleOf.get(id)!.map((part) => statusOf(part, placement, place, scene))
        const outcome = outcomes.find((status) => status !== 200) ?? 200
        const onChangeRequest = path.includes("/change-requests/") ? scene.onChangeRequest : {}
        const ids: Readonly<Record<string, string>> = {
          ...scene.ids,
          ...onChangeRequest,
          ...(id === "installIntegration" ? { integrationName: scene.free } : {})
        }
        const send = (named: (name: string) => string, from = scene) => {
          const body = bodies[id]?.(from)
          const query = id.startsWith("search") ? "?query=word" : ""
          return server.fetch(`${path.replace(/:(\w+)/g, (_, name: string) => named(name))}${query}`, {
            method,
            token,
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
        }
        // Invalid input is reported to those alone whom the path authorizes; all others get their error first.
        if (bodies[id] !== undefined || invalidQuery !== undefined) {
          const address = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
          const invalid = await server.fetch(`${address}?${invalidQuery ?? ""}`, {
            method,
            token,
            ...(bodies[id] === undefined ? {} : { body: "{" })
          })
          const parts = pathRules[id] === undefined ? ruleOf.get(id)! : [pathRules[id]]
          const ofPath = parts.map((part) => statusOf(part, placement, place, scene))
          answers.push([`${id}, with invalid input`, invalid.status])
          expected.push([`${id}, with invalid input`, ofPath.find((status) => status !== 200) ?? 400])
        }
        const response = await send((name) => ids[name] ?? `no ${name}`)
        const text = await response.text()
        answers.push([id, response.ok ? 200 : response.status])
        expected.push([id, outcome])
        if (outcome === 404) {
          // What is hidden is answered as what is not there, to the letter.
          const nothing = "0".repeat(30)
          const hidden = ruleOf.get(id)![outcomes.indexOf(404)]!
          // What is hidden may be in the body alone, beside a path that the caller sees.
          const noun = hidden.split(".")[0]!
          const inBody = /^(space|organization)$/.test(noun) && !path.includes(`:${noun}Id`)
          const isSeen = (name: string) =>
            inBody ||
            name === "integrationName" ||
            (name === "organizationId" && placement.member !== "outsider")
          const missing = await send((name) => (isSeen(name) ? ids[name]! : nothing), {
            ...scene,
            ids: inBody ? { ...scene.ids, [`${noun}Id`]: nothing } : scene.ids
          })
          expect([id, missing.status, await missing.text()]).toEqual([id, 404, text])
        }
        if ((method !== "GET" && response.ok) || id === "restoreSpace") scene = await build()
      }
      expect(answers).toEqual(expected)
    })
  }
})
