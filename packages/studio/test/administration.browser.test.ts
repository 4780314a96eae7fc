/** The administration of an organization in the browser. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { explainAccess } from "../src/screens/administration/explainAccess.ts"
import { explainSiteAccess } from "../src/screens/administration/explainSiteAccess.ts"
import { createSpace, openApplication, withApplication } from "./support/application.ts"
import { visitScreens } from "./support/screens.ts"

const { app, browser } = await openApplication()

/** Waits for a value as long as for the elements of a page. */
const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const dialog = (page: Page) => page.getByRole("dialog")
const submit = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click()

it("changes the role of a member, undoes it, and removes the member", async () => {
  const grace = await app.addUser("grace@example.com", "read")
  const params = { organizationId: app.organizationId, userId: grace.id }
  const roleOf = async () => (await app.ada.client.members.getMemberInOrganizationById({ params })).role
  await withApplication(browser, app, app.ada, "/organization/members", async (page) => {
    const role = page.getByLabel("Role of grace")
    await role.selectOption("edit")
    await poll(roleOf).toBe("edit")
    await button(page, "Undo").click()
    await poll(roleOf).toBe("read")
    await button(page, "More actions for grace").click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await dialog(page)
      .getByText(/lose access to Acme/)
      .waitFor()
    await submit(page, "Remove")
    await role.waitFor({ state: "detached" })
  })
  await expect(roleOf()).rejects.toMatchObject({ _tag: "NotFound" })
})

it("creates an invite link, by which another person joins", async () => {
  const guest = await app.addOutsider("alan@example.com")
  let url = ""
  await withApplication(browser, app, app.ada, "/organization/invites", async (page) => {
    await button(page, "New invite link").click()
    await dialog(page).getByLabel("Role of new members").selectOption("comment")
    await submit(page, "Create")
    url = await page.getByLabel("Address of the link").inputValue()
  })
  expect(new URL(url).pathname).toMatch(/^\/~\/join\/[^/]+\/[^/]+$/)
  await withApplication(browser, app, guest, new URL(url).pathname.replace("/~", ""), async (page) => {
    await button(page, "Join").click()
    await page.getByRole("heading", { name: "Acme" }).first().waitFor()
  })
  const member = await app.ada.client.members.getMemberInOrganizationById({
    params: { organizationId: app.organizationId, userId: guest.id }
  })
  expect(member.role).toBe("comment")
})

it("explains why a person can see a space: by a team, on its collection", async () => {
  const { client } = app.ada
  const { organizationId } = app
  const linus = await app.addUser("linus@example.com", "read")
  const collection = await client.collections.createCollection({
    params: { organizationId },
    payload: { title: "Internal" }
  })
  const spaceId = await createSpace(app, "Plans", [])
  await client.spaces.moveSpace({ params: { spaceId }, payload: { parent: collection.id } })
  await client.spaces.updateSpaceById({ params: { spaceId }, payload: { defaultLevel: null } })
  const team = await client.teams.createOrganizationTeam({
    params: { organizationId },
    payload: { title: "Kernel", members: [linus.id] }
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/permissions`, async (page) => {
    const person = page.getByLabel("Person", { exact: true })
    await person.selectOption({ label: "linus" })
    await page.getByText("linus has no access as a member.").waitFor()
    await client.collectionPermissions.inviteToCollection({
      params: { collectionId: collection.id },
      payload: { role: "review", teams: [team.id] }
    })
    await page.getByText("linus has the role Reviewer here.").waitFor()
    await page.getByText("because “Internal” is shared with the team Kernel").waitFor()
  })
  const { items } = await client.spacePermissions.listPermissionsAggregateInSpace({ params: { spaceId } })
  expect(items.find(({ user }) => user.id === linus.id)?.permission).toBe("review")
})

it("explains why a person can see a site: by the membership, and by its audience", () => {
  const person = { id: "1", role: "read" as const, disabled: false, teams: [] }
  const site = { published: true, visibility: "visitor-auth" as const, adaptiveContent: { enabled: true } }
  expect(explainSiteAccess(person, site)).toEqual({
    application: "views",
    pages: ["visitorAuth", "memberVisit", "conditions"]
  })
  expect(explainSiteAccess({ ...person, role: null }, site)).toEqual({
    application: "guest",
    pages: ["visitorAuth", "conditions"]
  })
  expect(explainSiteAccess({ ...person, role: null }, site, "read")).toEqual({
    application: "granted",
    pages: ["visitorAuth", "memberVisit", "conditions"]
  })
  expect(explainSiteAccess({ ...person, role: "create" }, { ...site, published: false }, "edit")).toEqual({
    application: "edits",
    pages: ["unpublished"]
  })
  expect(explainSiteAccess({ ...person, role: "create" }, { ...site, published: false })).toEqual({
    application: "edits",
    pages: ["unpublished"]
  })
})

it("grants a role on a site to a person and a team, explains it, undoes it, and hides the screen from others", async () => {
  const { client } = app.ada
  const { organizationId } = app
  const editor = await app.addUser("margaret@example.com", "read")
  const site = await client.sites.createSite({ params: { organizationId }, payload: { title: "Manual" } })
  const params = { organizationId, siteId: site.id }
  await client.teams.createOrganizationTeam({ params: { organizationId }, payload: { title: "Authors" } })
  const users = async () =>
    (await client.sitePermissions.listUserPermissionsInSite({ params })).items.map(
      ({ user, permission }) => `${user.displayName} ${permission}`
    )
  await withApplication(browser, app, app.ada, `/sites/${site.id}`, async (page) => {
    await page.getByRole("link", { name: "People with access" }).click()
    await page.getByText("Not shared with any person or team").waitFor()
    const hint = "Then they can read all of its spaces"
    await page.getByText(hint).waitFor()
    for (const [name, role] of [
      ["margaret", "edit"],
      ["Team Authors", "read"]
    ] as const) {
      await button(page, "Share").click()
      await dialog(page).getByText(hint).waitFor()
      await dialog(page).getByLabel("Person or team").selectOption({ label: name })
      await dialog(page).getByLabel("Role").selectOption(role)
      await submit(page, "Share")
      await dialog(page).waitFor({ state: "detached" })
    }
    await page.getByLabel("Role of Authors").waitFor()
    expect(await users()).toEqual(["margaret edit"])
    await page.getByLabel("Role of margaret").selectOption("create")
    await poll(users).toEqual(["margaret create"])
    await button(page, "Undo").click()
    await poll(users).toEqual(["margaret edit"])
    await page.getByLabel("Person", { exact: true }).selectOption({ label: "margaret" })
    await page.getByText("margaret has the role Editor on the site").waitFor()
    await button(page, "More actions for margaret").click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await poll(users).toEqual([])
  })
  await withApplication(browser, app, editor, `/sites/${site.id}/permissions`, async (page) => {
    await page.getByText("You have no permission for this").first().waitFor()
    expect(await page.getByRole("link", { name: "People with access" }).count()).toBe(0)
  })
})

it("explains access by the highest role of the default level and the grants", () => {
  const person = { id: "ada", role: "edit" as const, disabled: false, teams: [{ id: "team", title: "Team" }] }
  const place = (
    title: string,
    defaultLevel: "inherit" | "read" | null,
    user?: "comment",
    team?: "admin"
  ) => ({
    id: title,
    title,
    defaultLevel,
    users: new Map(user === undefined ? [] : [["ada", user]]),
    teams: new Map(team === undefined ? [] : [["team", team]])
  })
  const roleOf = (who: Parameters<typeof explainAccess>[0], places: Parameters<typeof explainAccess>[1]) =>
    explainAccess(who, places).role
  expect(roleOf(person, [place("space", "inherit")])).toBe("edit")
  expect(roleOf(person, [place("space", "inherit"), place("folder", "read")])).toBe("read")
  expect(roleOf(person, [place("space", null), place("folder", "read")])).toBe(null)
  expect(roleOf(person, [place("space", null), place("folder", "read", "comment")])).toBe("comment")
  expect(roleOf(person, [place("space", "read", undefined, "admin")])).toBe("admin")
  expect(roleOf({ ...person, role: null }, [place("space", "read")])).toBe(null)
  expect(roleOf({ ...person, role: "admin" }, [place("space", null)])).toBe("admin")
  expect(roleOf({ ...person, disabled: true }, [place("space", "read")])).toBe(null)
})

it("displays the secret of a new token once, and revokes the token", async () => {
  await withApplication(browser, app, app.ada, "/me/tokens", async (page) => {
    await button(page, "New token").first().click()
    await dialog(page).getByLabel("Purpose").fill("Nightly build")
    await dialog(page).getByLabel("Read content", { exact: true }).check()
    await submit(page, "Create")
    const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue()
    const call = () =>
      fetch(`${app.url}/v1/user`, { headers: { authorization: `Bearer ${secret}` } }).then(
        ({ status }) => status
      )
    expect(await call()).toBe(200)
    await submit(page, "Done")
    expect(await page.getByText(secret).count()).toBe(0)
    await button(page, "More actions for Nightly build").click()
    await page.getByRole("menuitem", { name: "Revoke" }).click()
    await submit(page, "Revoke")
    await page.getByText("“Nightly build” revoked").waitFor()
    expect(await call()).toBe(401)
  })
})

it("changes the name of the person, which the frame displays", async () => {
  const person = await app.addUser("rename@example.com", "read")
  await withApplication(browser, app, person, "/me", async (page) => {
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("Margaret Hamilton")
    await button(page, "Save").click()
    await page.getByText("Profile saved").waitFor()
    await button(page, "Your account").click()
    await page.getByText("Margaret Hamilton", { exact: true }).waitFor()
  })
  expect((await person.client.users.getAuthenticatedUser()).displayName).toBe("Margaret Hamilton")
})

it("lists the devices of a person, ends one of them, and signs out everywhere", async () => {
  await app.addUser("devices@example.com", "read")
  const signIn = async (page: Page) => {
    await page.goto(`${app.url}${await app.signInPath("devices@example.com")}`)
    await page
      .getByRole("button", { name: /Continue|Sign in/ })
      .first()
      .click()
    await page.waitForURL((url) => !url.pathname.includes("sign-in"))
  }
  const other = await browser.newContext()
  try {
    const otherPage = await other.newPage()
    await signIn(otherPage)
    await withApplication(
      browser,
      app,
      undefined,
      "/",
      async (page) => {
        await signIn(page)
        await page.goto(`${app.url}/app/me/sessions`)
        await page.getByText("This browser").waitFor()
        expect(await page.locator(".list > li").count()).toBe(2)
        const foreign = page.locator(".list > li").filter({ hasNotText: "This browser" })
        await foreign.getByRole("button", { name: "Sign out" }).click()
        await submit(page, "Sign out")
        await foreign.waitFor({ state: "detached" })
        await otherPage.goto(`${app.url}/app/me`)
        await otherPage.getByText("Sign in with your account of this server.").waitFor()
        await button(page, "Sign out everywhere").click()
        await submit(page, "Sign out everywhere")
        await page.getByText("Sign in with your account of this server.").waitFor()
      },
      {},
      /401/
    )
  } finally {
    await other.close()
  }
})

it("creates an OpenID Connect provider, displays its service data, and deletes it", async () => {
  const params = { organizationId: app.organizationId }
  const labels = async () =>
    (await app.ada.client.oidc.listOIDCProvidersInOrganizationById({ params })).items.map(
      ({ label }) => label
    )
  await withApplication(browser, app, app.ada, "/organization/sign-on", async (page) => {
    await button(page, "New OpenID Connect provider").click()
    await dialog(page).getByLabel("Name").fill("Keycloak")
    await dialog(page).getByLabel("URL of the issuer").fill("https://login.example.com/realms/acme")
    await dialog(page).getByLabel("Client id").fill("lectern")
    await dialog(page).getByLabel("Client secret").fill("secret-of-the-client")
    await dialog(page).getByLabel("Domains of new members").fill("example.com")
    await submit(page, "Create")
    await page.getByText("Keycloak").waitFor()
    expect(await page.getByText("secret-of-the-client").count()).toBe(0)
    await button(page, "Service data").click()
    expect(await dialog(page).getByLabel("Redirect URL").inputValue()).toContain(app.url)
    await page.keyboard.press("Escape")
    await button(page, "More actions for Keycloak").click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await submit(page, "Delete")
    await poll(labels).toEqual([])
  })
})

it("lets people with an address of the organization join, and names the page on which they do", async () => {
  await withApplication(browser, app, app.ada, "/organization", async (page) => {
    const join = page.getByText("People with these addresses can join without an invitation")
    await join.click()
    await page.getByText(`${app.url}/~/join/${app.organizationId}`).waitFor()
    await button(page, "Save").click()
    await page.getByText("Saved", { exact: true }).waitFor()
    const read = () =>
      app.ada.client.organizations.getOrganizationById({ params: { organizationId: app.organizationId } })
    expect((await read()).domainJoin).toBe(true)
    await join.click()
    await button(page, "Save").click()
    await poll(async () => (await read()).domainJoin).toBe(false)
  })
})

it("links the page on which a person exports or erases their data", async () => {
  await withApplication(browser, app, app.ada, "/me", async (page) => {
    const link = page.getByRole("link", { name: "Export or erase your data" })
    expect(await link.getAttribute("href")).toBe(`${app.url}/~/account`)
  })
})

it("creates a renewable token only if it expires", async () => {
  await withApplication(browser, app, app.ada, "/me/tokens", async (page) => {
    await button(page, "New token").first().click()
    const renewable = dialog(page).getByText("Renewable", { exact: true })
    await dialog(page).getByLabel("Expiry").selectOption("never")
    await renewable.waitFor({ state: "detached" })
    await dialog(page).getByLabel("Expiry").selectOption("30")
    await renewable.click()
    await dialog(page).getByRole("textbox").first().fill("Renewed by a program")
    await submit(page, "Create")
    await page.getByLabel("Secret").waitFor()
  })
  const { items } = await app.ada.client.tokens.listApiTokens()
  expect(items.find(({ label }) => label === "Renewed by a program")?.renewable).toBe(true)
})

it("lists an open invitation, whose link an administrator copies, and revokes it", async () => {
  await app.ada.client.invites.inviteUsersToOrganization({
    params: { organizationId: app.organizationId },
    payload: { emails: ["hedy@example.com"], role: "edit" }
  })
  await withApplication(browser, app, app.ada, "/organization/invites", async (page) => {
    await button(page, "More actions for hedy@example.com").click()
    await page.getByRole("menuitem", { name: "Create a new link…" }).click()
    await submit(page, "Create link")
    const link = await page.getByLabel("Link of the invitation").inputValue()
    expect(link).toContain("/~/sign-in/")
    await submit(page, "Done")
    await button(page, "More actions for hedy@example.com").click()
    await page.getByRole("menuitem", { name: "Revoke" }).click()
    await submit(page, "Revoke")
    await page.getByText("The invitation of hedy@example.com is revoked").waitFor()
    await page.locator(".list").getByText("hedy@example.com").waitFor({ state: "detached" })
  })
})

it("creates a webhook, displays a failed delivery, and sends it again", async () => {
  let status = 500
  const requests: Array<string> = []
  const receiver = createServer((request, response) => {
    requests.push(String(request.headers["x-lectern-delivery"]))
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    await withApplication(browser, app, app.ada, "/organization/webhooks", async (page) => {
      await button(page, "New webhook").first().click()
      await dialog(page).getByLabel("URL of your server").fill(url)
      await dialog(page).getByLabel("Only these events").check()
      await dialog(page)
        .getByRole("group", { name: "Space", exact: true })
        .getByLabel("created", { exact: true })
        .check()
      await submit(page, "Create")
      await page.getByRole("textbox", { name: "Secret" }).waitFor()
      await submit(page, "Done")
      await createSpace(app, "Observed", [])
      await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThan(0)
      await page.getByRole("link", { name: url }).click()
      await page.getByText("space.created", { exact: true }).waitFor()
      await button(page, "Details of space.created").click()
      await dialog(page).getByText("Status 500").first().waitFor()
      await page.keyboard.press("Escape")
      status = 200
      await button(page, "Send again: space.created").click()
      await page.locator(".list").getByText("Delivered").waitFor({ timeout: 60_000 })
    })
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})

it("filters the audit log by its outcome", async () => {
  const reader = await app.addUser("reader@example.com", "read")
  await reader.client.spaces
    .createSpace({ params: { organizationId: app.organizationId }, payload: { title: "No" } })
    .catch(() => undefined)
  await withApplication(browser, app, app.ada, "/organization/audit", async (page) => {
    await page.getByText("Permitted", { exact: true }).nth(1).waitFor()
    await page.getByLabel("Outcome").selectOption("denied")
    await page.locator(".list").getByText("Denied: Space created").waitFor()
    expect(await page.locator(".list .tag-success").count()).toBe(0)
    expect(new URL(page.url()).searchParams.get("outcome")).toBe("denied")
  })
})

it("explains a missing permission instead of a list", async () => {
  const reader = await app.addUser("eve@example.com", "read")
  await withApplication(browser, app, reader, "/organization/webhooks", async (page) => {
    await page.getByText("You have no permission for this").waitFor()
    expect(await button(page, "New webhook").count()).toBe(0)
  })
})

it("has accessible screens in light and dark, and at phone width", async () => {
  const { client } = app.ada
  const { organizationId } = app
  const spaceId = await createSpace(app, "Shared", [{ title: "Start", markdown: "Text." }])
  const { items } = await client.webhooks.listWebhooks({ params: { organizationId } })
  const team = await client.teams.createOrganizationTeam({
    params: { organizationId },
    payload: { title: "Docs" }
  })
  await client.spacePermissions.inviteToSpace({
    params: { spaceId },
    payload: { role: "edit", teams: [team.id] }
  })
  await client.saml.createOrganizationSAMLProvider({ params: { organizationId }, payload: { label: "Okta" } })
  const base = "/organization"
  await visitScreens(browser, app, app.ada, [
    { name: "organization", path: base, ready: "Content, with its history" },
    { name: "members", path: `${base}/members`, ready: "ada@example.com" },
    { name: "teams", path: `${base}/teams`, ready: "Docs" },
    { name: "team", path: `${base}/teams/${team.id}`, ready: "This team has no members" },
    { name: "invites", path: `${base}/invites`, ready: /Join as/ },
    { name: "sign-on", path: `${base}/sign-on`, ready: "Okta" },
    { name: "profile", path: "/me", ready: "How others see you" },
    { name: "sessions", path: "/me/sessions", ready: "No browser is signed in" },
    { name: "tokens", path: "/me/tokens", ready: "Test" },
    { name: "all-tokens", path: `${base}/tokens`, ready: /Ada Lovelace/ },
    { name: "webhook", path: `${base}/webhooks/${items[0]!.id}`, ready: "space.created" },
    { name: "integrations", path: `${base}/integrations`, ready: "No integration" },
    { name: "audit", path: `${base}/audit`, ready: /^\w+\.\w+$/ },
    { name: "access", path: `/spaces/${spaceId}/permissions`, ready: "Docs" }
  ])
})

it("names the invalid addresses of an invitation at their field, retains the typed text, and invites after a repair", async () => {
  await withApplication(
    browser,
    app,
    app.ada,
    "/organization/members",
    async (page) => {
      await button(page, "Invite").click()
      const addresses = dialog(page).getByLabel("E-mail addresses")
      await addresses.fill("mary@example.com, not-an-address")
      await submit(page, "Invite")
      await dialog(page)
        .locator(".field-error")
        .getByText(/^“not-an-address”/)
        .waitFor()
      expect(await addresses.inputValue()).toBe("mary@example.com, not-an-address")
      expect(await addresses.getAttribute("aria-invalid")).toBe("true")

      await page.context().setOffline(true)
      await submit(page, "Invite")
      await dialog(page).getByText("The server cannot be reached.").waitFor()
      await page.context().setOffline(false)
      await addresses.fill("mary@example.com")
      await submit(page, "Invite")
      await page.getByText("1 person invited").waitFor()
      await dialog(page).waitFor({ state: "detached" })
    },
    {},
    /400|ERR_INTERNET_DISCONNECTED/
  )
})
