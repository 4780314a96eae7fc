/** A workspace with something on every screen. */
import { SiteEvents } from "@lectern/core"
import { Effect } from "effect"
import type { TestApplication } from "./application.ts"
import { createSpace } from "./application.ts"

/** The values of the parameters in addresses of screens, by their names in patterns. */
export type SeededParams = Readonly<Record<string, string>>

const guidePages = [
  {
    title: "Getting started",
    markdown: [
      "Install the command, and start it once.",
      "",
      '{% hint style="info" %}',
      "The first start creates the database.",
      "{% endhint %}",
      "",
      "## Install",
      "",
      "```sh",
      "npm install -g compass",
      "```",
      "",
      "## Start",
      "",
      "| Option | Meaning |",
      "| --- | --- |",
      "| `--port` | The port of the server. |",
      "| `--data` | The folder of the database. |",
      ""
    ].join("\n")
  },
  { title: "Configure", markdown: "Each setting is a variable. See [a missing page](nowhere.md).\n" },
  { title: "Upgrade", markdown: "Stop the server, and replace it.\n" }
]

const spec = [
  "openapi: 3.1.0",
  "info: { title: Compass, version: '1.4' }",
  "paths:",
  "  /routes:",
  "    get:",
  "      operationId: listRoutes",
  "      responses: { '200': { description: The routes. } }",
  "  /points:",
  "    get: { $ref: '#/nowhere' }",
  ""
].join("\n")

/** People of the organization: a team, open invitations and an invite link. */
const seedPeople = async ({ ada, organizationId, addUser }: TestApplication) => {
  const params = { organizationId }
  await ada.client.users.updateUserById({
    params: { userId: ada.id },
    payload: { displayName: "Ada Lovelace" }
  })
  const grace = await addUser("grace@example.com", "edit")
  await grace.client.users.updateUserById({
    params: { userId: grace.id },
    payload: { displayName: "Grace Hopper" }
  })
  const alan = await addUser("alan@example.com", "review")
  await alan.client.users.updateUserById({
    params: { userId: alan.id },
    payload: { displayName: "Alan Turing" }
  })
  await ada.client.invites.inviteUsersToOrganization({
    params,
    payload: { emails: ["hedy@example.com"], role: "read" }
  })
  const team = await ada.client.teams.createOrganizationTeam({
    params,
    payload: { title: "Writers", members: [grace.id, alan.id] }
  })
  const invite = await ada.client.invites.createOrganizationInvite({ params, payload: { role: "comment" } })
  return { grace, alan, team: team.id, invite: invite.id }
}

/** Spaces in a collection: one with pages, files, reusable content, comments and a change request, and one in the trash. */
const seedContent = async (app: TestApplication, alanId: string) => {
  const { ada, organizationId } = app
  const { client } = ada
  const params = { organizationId }
  const collection = await client.collections.createCollection({ params, payload: { title: "Products" } })
  const space = await createSpace(app, "Compass", guidePages)
  await client.spaces.moveSpace({ params: { spaceId: space }, payload: { parent: collection.id } })
  const reference = await createSpace(app, "Reference", [{ title: "Overview", markdown: "All commands.\n" }])
  const old = await createSpace(app, "Old handbook", [{ title: "Start", markdown: "Old.\n" }])
  await client.spaces.deleteSpaceById({ params: { spaceId: old } })
  const edit = { params: { spaceId: space } }
  await client.content.updateSpaceContent({
    ...edit,
    payload: {
      changes: [
        { operation: "insert_reusable_content", title: "Support", document: { markdown: "Write to us.\n" } }
      ]
    }
  })
  const { pages } = await client.content.listPages(edit)
  const first = pages[0]!
  await client.comments.postCommentInSpace({
    ...edit,
    payload: { body: { markdown: "Is this still true?" }, page: first.id }
  })
  const { reusableContents, id: revision } = await client.content.getCurrentRevision(edit)
  const request = await client.changeRequests.createChangeRequest({
    ...edit,
    payload: { subject: "Describe the new installer" }
  })
  const change = { spaceId: space, changeRequestId: request.id }
  await client.changeRequestContent.updateChangeRequestContent({
    params: change,
    payload: {
      changes: [
        {
          operation: "update_page",
          page: pages[2]!.id,
          document: { markdown: "Run `compass upgrade`, which replaces the server.\n" }
        }
      ]
    }
  })
  await client.reviews.requestReviewersForChangeRequest({ params: change, payload: { users: [alanId] } })
  return {
    collection: collection.id,
    space,
    reference,
    revision,
    content: reusableContents[0]!.id,
    number: String(request.number),
    page: "configure"
  }
}

/** Events of visitors of the site. They are counted today. */
const seedEvents = async (
  { ada: { client }, organizationId, workspace }: TestApplication,
  siteId: string
) => {
  const params = { organizationId, siteId }
  const { structure } = await client.sites.getSiteStructure({ params })
  const urls = JSON.stringify(structure).match(/http:[^"]*\/(?:compass|reference)\//g) ?? []
  for (const url of urls)
    await fetch(url, { headers: { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" } })
  await client.publishedContent.trackEventsInSiteById({
    params,
    payload: {
      events: [{ type: "search_type_query" }, { type: "search_type_query" }, { type: "link_click" }]
    }
  })
  await workspace.runtime.runPromise(Effect.flatMap(SiteEvents, ({ flush }) => flush))
}

/** A published site with two sections, a group, a redirect, a share link and a script. */
const seedSite = async (app: TestApplication, spaces: ReadonlyArray<string>) => {
  const { ada, organizationId } = app
  const { client } = ada
  const site = await client.sites.createSite({
    params: { organizationId },
    payload: { title: "Compass docs" }
  })
  const params = { organizationId, siteId: site.id }
  for (const spaceId of spaces) await client.siteSections.addSectionToSite({ params, payload: { spaceId } })
  await client.siteSectionGroups.addSectionGroupToSite({ params, payload: { title: "More" } })
  const { items } = await client.siteSections.listSiteSections({ params })
  await client.siteRedirects.createSiteRedirect({
    params,
    payload: { source: "/old/start", destination: { kind: "site-section", siteSectionId: items[0]!.id } }
  })
  await client.shareLinks.createSiteShareLink({ params, payload: { name: "Partners" } })
  await client.siteScripts.createSiteScript({
    params,
    payload: {
      name: "Plausible",
      source: { type: "template", template: "plausible", values: { domain: "docs.example.com" } },
      categories: ["analytics"]
    }
  })
  await client.sites.publishSite({ params })
  await seedEvents(app, site.id)
  const { items: siteSpaces } = await client.siteSpaces.listSiteSpaces({ params })
  return { site: site.id, siteSpace: siteSpaces[0]!.id }
}

/** The connections of an administrator: providers, a webhook, an API specification, and an import that failed. */
const seedConnections = async ({ ada: { client }, organizationId }: TestApplication, space: string) => {
  const params = { organizationId }
  await client.saml.createOrganizationSAMLProvider({ params, payload: { label: "Okta" } })
  await client.oidc.createOrganizationOIDCProvider({ params, payload: { label: "Keycloak" } })
  const webhook = await client.webhooks.createWebhook({
    params,
    payload: { url: "https://hooks.example.com/compass", events: ["space.created"], active: false }
  })
  await client.openApiSpecs.createOpenAPISpec({
    params,
    payload: { slug: "compass", source: { text: spec } }
  })
  const run = await client.importRuns.startImportRun({
    params,
    payload: { source: { type: "website", url: "http://127.0.0.1:9/" }, target: { space } }
  })
  const isFinished = async (): Promise<boolean> => {
    const { status } = await client.importRuns.getImportRun({ params: { ...params, importRunId: run.id } })
    return status !== "pending" && status !== "in-progress"
  }
  while (!(await isFinished())) await new Promise((resolve) => setTimeout(resolve, 100))
  return { webhook: webhook.id, spec: "compass", run: run.id }
}

/** Fills the workspace. Returns the values of the parameters in addresses. */
export const seedWorkspace = async (app: TestApplication): Promise<SeededParams> => {
  const { alan, team, invite } = await seedPeople(app)
  const { reference, ...content } = await seedContent(app, alan.id)
  const site = await seedSite(app, [content.space, reference])
  const connections = await seedConnections(app, content.space)
  return { organization: app.organizationId, team, invite, ...content, ...site, ...connections }
}
