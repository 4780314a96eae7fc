import { oidcRedirectUrl, SignIns, signInLinkUrl } from "@lectern/core"
import { Effect } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest"
import { linkIn, startMailServer } from "../../http/test/support/mailServer.ts"
import { clientSettings, startOpenIdProvider } from "../../http/test/support/openIdProvider.ts"
import { startApplication, type TestApplication } from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"
import { examine } from "./support/examine.ts"
import { startSamlPage } from "./support/samlPage.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const start = async (options: Parameters<typeof startApplication>[1] = () => ({})) => {
  const app = await startApplication("", options)
  onTestFinished(() => app.close())
  return app
}

/** Opens a window of a browser without a session. */
const openWindow = async (): Promise<{ readonly context: BrowserContext; readonly page: Page }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" })
  context.setDefaultTimeout(90_000)
  onTestFinished(() => context.close())
  return { context, page: await context.newPage() }
}

/** Returns the URL of a link of the operator, as the first start of a server prints it. */
const operatorLink = ({ workspace, url }: TestApplication, email: string): Promise<string> =>
  workspace.runtime.runPromise(
    Effect.map(
      Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } })),
      ({ secret }) => signInLinkUrl(url, secret)
    )
  )

/** Requests a URL with the cookies of a page, whose policy can prevent requests of its own. */
const statusOf = async (page: Page, url: string): Promise<number> => (await page.request.get(url)).status()

it("signs the first administrator in by a link, once, and signs out", async () => {
  const app = await start()
  const { page } = await openWindow()
  const link = await operatorLink(app, "ada@example.com")
  await page.goto(link)
  await examine(page, "link")
  await page.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  await page.waitForURL(/\/app/)
  await page.getByRole("button", { name: "Your account" }).first().waitFor()
  const { page: other } = await openWindow()
  await other.goto(link)
  await other.getByText("The link does not work anymore").waitFor()
  await examine(other, "used-link")
  await page.getByRole("button", { name: "Your account" }).first().click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  await page.getByText("Sign in").first().waitFor()
  expect(await statusOf(page, `${app.url}/v1/user`)).toBe(401)
})

it("signs in by an e-mail, signs out everywhere, and signs in again before a token is created", async () => {
  const mail = await startMailServer()
  const app = await start(() => ({ mailer: mail.mailer }))
  const { page } = await openWindow()
  /** Requests a link on the sign-in page, and opens it. */
  const signIn = async (window: Page) => {
    const before = mail.received.length
    await window.getByLabel("E-mail address").fill("ada@example.com")
    await window.getByRole("button", { name: "Send a sign-in link" }).click()
    await window.getByText("Check your e-mail").waitFor()
    await vi.waitFor(() => expect(mail.received.length).toBeGreaterThan(before), { timeout: 60_000 })
    await window.goto(app.url + linkIn(mail.received.at(-1)!))
    await window.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  }
  await page.goto(`${app.url}/~/login?return=app/me/tokens`)
  await examine(page, "login")
  await signIn(page)
  await page.waitForURL(/\/app\/me\/tokens/)
  const { page: second } = await openWindow()
  await second.goto(`${app.url}/~/login?return=app`)
  await signIn(second)
  await second.waitForURL(/\/app/)

  // Eleven minutes later, the session is too old for a token: the person signs in elsewhere, and the form is sent again.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const openForm = async () => {
    await page.getByRole("button", { name: "New token" }).first().click()
    const dialog = page.getByRole("dialog", { name: "New token" })
    await dialog.getByLabel("Purpose").fill("Nightly build")
    await dialog.getByLabel("Read content", { exact: true }).check()
    await dialog.getByRole("button", { name: "Create" }).click()
    return dialog
  }
  const form = await openForm()
  const question = page.getByRole("dialog", { name: "This action needs a recent sign-in" })
  await question.getByText("npx lectern sign-in ada@example.com").waitFor()
  await examine(page, "recent-sign-in")
  // Declined, the form remains as it was.
  await question.getByRole("button", { name: "Cancel" }).click()
  await form.getByText("The operation requires a sign-in in the last 10 minutes").waitFor()
  expect(await form.getByLabel("Purpose").inputValue()).toBe("Nightly build")
  await form.getByRole("button", { name: "Create" }).click()
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    question.getByRole("link", { name: "Sign in in a new tab" }).click()
  ])
  await signIn(tab)
  await tab.waitForURL(/\/app\/me\/tokens/)
  await page.getByRole("dialog", { name: "Your new token" }).waitFor()
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByText("Nightly build").first().waitFor()
  await tab.close()

  // An hour later, the session is too old to administer the organization: the dialog waits, and the command is repeated.
  vi.setSystemTime(Date.now() + 61 * 60_000)
  await page.goto(`${app.url}/app/organization/webhooks`)
  await page.getByRole("button", { name: "New webhook" }).first().click()
  const webhook = page.getByRole("dialog", { name: "New webhook" })
  await webhook.getByLabel("URL of your server").fill("https://example.com/events")
  await webhook.getByRole("button", { name: "Create" }).click()
  const [again] = await Promise.all([
    page.waitForEvent("popup"),
    question.getByRole("link", { name: "Sign in in a new tab" }).click()
  ])
  await signIn(again)
  await again.waitForURL(/\/app\/organization\/webhooks/)
  await page.getByRole("textbox", { name: "Secret" }).waitFor()
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByRole("link", { name: "https://example.com/events" }).waitFor()
  await again.close()

  expect(await statusOf(second, `${app.url}/v1/user`)).toBe(200)
  await page.evaluate((url) => fetch(url, { method: "DELETE" }), `${app.url}/v1/user/sessions`)
  expect([await statusOf(page, `${app.url}/v1/user`), await statusOf(second, `${app.url}/v1/user`)]).toEqual([
    401, 401
  ])
})

it("signs an invited person in without e-mail, who joins and leaves", async () => {
  const app = await start()
  const { users } = await app.ada.client.invites.inviteUsersToOrganization({
    params: { organizationId: app.organizationId },
    payload: { emails: ["bob@example.com"], role: "edit" }
  })
  const renewed = await app.ada.client.invitations.renewInvitation({
    params: { organizationId: app.organizationId, userId: users[0]! }
  })
  const { page: administrator } = await openWindow()
  await administrator.goto(`${app.url}${await app.signInPath("ada@example.com")}`)
  await administrator.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  await administrator.waitForURL(/\/app/)
  await administrator.goto(`${app.url}/app/organization/members`)
  await administrator.getByText("bob@example.com").first().waitFor()
  await examine(administrator, "invitations")
  const { page } = await openWindow()
  await page.goto(renewed.url!)
  await page.getByRole("button", { name: "Sign in as bob@example.com" }).click()
  await page.waitForURL(/\/app/)
  // An administrator has seen the link: its session has no authority over the account.
  await page.goto(`${app.url}/~/account`)
  await page.getByText("This session is limited to one organization").waitFor()
  await examine(page, "account-limited")
  await page.goto(`${app.url}${await app.signInPath("bob@example.com")}?return=~/account`)
  await page.getByRole("button", { name: "Sign in as bob@example.com" }).click()
  await page.getByRole("link", { name: "Download your data" }).waitFor()
  await examine(page, "account")
  await page.getByLabel("Type your e-mail address").fill("bob@example.com")
  await page.getByRole("button", { name: "Erase the account" }).click()
  await page.waitForURL(/\/~\/login/)
  expect(await statusOf(page, `${app.url}/v1/user`)).toBe(401)
})

it("signs a new person in by an invite link", async () => {
  const mail = await startMailServer()
  const app = await start(() => ({ mailer: mail.mailer }))
  const { id } = await app.ada.client.invites.createOrganizationInvite({
    params: { organizationId: app.organizationId },
    payload: { role: "edit" }
  })
  const { page } = await openWindow()
  await page.goto(`${app.url}/~/join/${app.organizationId}/${id}`)
  await examine(page, "join-request")
  await page.getByLabel("E-mail address").fill("new@example.net")
  await page.getByRole("button", { name: "Send a sign-in link" }).click()
  await page.getByText("Check your e-mail").waitFor()
  await examine(page, "check-mail")
  await vi.waitFor(() => expect(mail.received).toHaveLength(1), { timeout: 60_000 })
  await page.goto(app.url + linkIn(mail.received[0]!))
  await page.getByRole("button", { name: "Sign in as new@example.net" }).click()
  await page.getByRole("heading", { name: "Join Acme" }).waitFor()
  await examine(page, "join")
  await page.getByRole("button", { name: "Join as new@example.net" }).click()
  await page.waitForURL((url) => !url.pathname.startsWith("/~/"))
  expect(await statusOf(page, `${app.url}/v1/orgs/${app.organizationId}`)).toBe(200)
})

it("signs in at an OpenID Connect provider, and signs out there", async () => {
  const provider = await startOpenIdProvider([])
  const app = await start((url) => {
    provider.setRedirectUrls([oidcRedirectUrl(url, "acme")], [`${url}/~/login`])
    return {
      oidcProviders: [
        { id: "acme", label: "Acme", issuer: provider.issuer, domains: ["example.com"], ...clientSettings }
      ]
    }
  })
  provider.users.set("bob", { email: "bob@example.com", email_verified: true, name: "Bob" })
  const { page } = await openWindow()
  await page.goto(`${app.url}/~/login`)
  await examine(page, "login-provider")
  await page.getByRole("link", { name: "Continue with Acme" }).click()
  await page.locator("input[name=login]").fill("bob")
  await page.locator("input[name=password]").fill("any")
  await page.locator("button[type=submit], input[type=submit]").first().click()
  await page.locator("button[type=submit], input[type=submit]").first().click()
  await page.waitForURL((url) => url.href.startsWith(app.url))
  expect(await statusOf(page, `${app.url}/v1/user`)).toBe(200)
  // The logout continues at the provider, which returns to the sign-in page.
  await page.goto(`${app.url}/~/account`)
  await page.evaluate(() => {
    const form = document.createElement("form")
    form.method = "post"
    form.action = "logout"
    document.body.append(form)
    form.submit()
  })
  await page.waitForURL((url) => url.href.startsWith(provider.issuer))
  await page.locator("button[name=logout]").first().click()
  await page.waitForURL((url) => url.href.startsWith(`${app.url}/~/login`))
  expect(await statusOf(page, `${app.url}/v1/user`)).toBe(401)
})

it("signs in at a SAML provider, explains a rejected login, and lists the sessions", async () => {
  const provider = await startSamlPage("bob@example.com")
  const app = await start()
  const { service } = await app.ada.client.saml.createOrganizationSAMLProvider({
    params: { organizationId: app.organizationId },
    payload: {
      label: "Acme staff",
      entityID: provider.entityID,
      certificate: provider.certificate,
      ssoURL: provider.url,
      defaultRole: "edit"
    }
  })
  const { page } = await openWindow()
  // The provider signs a response for another service first.
  provider.setAudience("https://elsewhere.example.com")
  await page.goto(`${service.startURL}?return=app/me/sessions`)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("heading", { name: "The sign-in failed" }).waitFor()
  await examine(page, "saml-failed")
  provider.setAudience(service.entityID)
  await page.goto(`${service.startURL}?return=app/me/sessions`)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.waitForURL(/\/app\/me\/sessions/)
  await page.getByText("Signed in by SAML").waitFor()
  await page.getByText("This browser").waitFor()
  await examine(page, "sessions")
  await page.getByRole("button", { name: "Sign out", exact: true }).click()
  await examine(page, "session-end")
})
