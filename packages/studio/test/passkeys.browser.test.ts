import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest"
import { startApplication } from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"
import { examine } from "./support/examine.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Starts a server that browsers open as `localhost`: passkeys need a host name. */
const start = async () => {
  const app = await startApplication()
  onTestFinished(() => app.close())
  return { app, url: app.url.replace("127.0.0.1", "localhost") }
}

/** A window with an authenticator that recognizes its user, as a laptop with a fingerprint reader does. */
interface Device {
  readonly context: BrowserContext
  readonly page: Page
  readonly cdp: CDPSession
}

const openDevice = async (): Promise<Device> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return { context, page, cdp }
}

/** Signs in by a link of the operator. */
const signIn = async (page: Page, url: string, path: string, email: string): Promise<void> => {
  await page.goto(url + path)
  await page.getByRole("button", { name: `Sign in as ${email}` }).click()
  await page.waitForURL(/\/app/)
}

const statusOf = async (page: Page, url: string): Promise<number> => (await page.request.get(url)).status()

it("is added, signs in without an e-mail, is renamed and removed", async () => {
  const { app, url } = await start()
  const { page, context } = await openDevice()
  await signIn(page, url, await app.signInPath("ada@example.com"), "ada@example.com")
  await page.goto(`${url}/app/me/passkeys`)
  await page.getByText("No passkey").first().waitFor()
  await examine(page, "passkeys-none")
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.locator("#main").getByText("Never used").waitFor()
  await examine(page, "passkeys-one")

  await context.clearCookies()
  await page.goto(`${url}/~/login?return=app/me/sessions`)
  await examine(page, "login-passkey")
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL(/\/app\/me\/sessions/)
  await page.getByText("Signed in by a passkey").waitFor()

  await page.goto(`${url}/app/me/passkeys`)
  await page.locator("#main").getByText("Last used").waitFor()
  const openMenu = () =>
    page
      .locator("#main")
      .getByRole("button", { name: /Actions|More/ })
      .first()
      .click()
  await openMenu()
  await page.getByRole("menuitem", { name: "Rename" }).click()
  await page.getByRole("dialog").getByLabel("Name").fill("Work laptop")
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
  await page.locator("#main").getByText("Work laptop").waitFor()
  await openMenu()
  await page.getByRole("menuitem", { name: "Remove" }).click()
  await page.getByText("Remove Work laptop?").waitFor()
  await examine(page, "passkey-remove")
  await page.getByRole("button", { name: "Remove", exact: true }).last().click()
  await page.getByText("No passkey").first().waitFor()

  // The device still offers the removed passkey, which no longer signs in.
  await context.clearCookies()
  await page.goto(`${url}/~/login`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.getByText("The passkey was not accepted.").waitFor()
  await examine(page, "login-passkey-failed")
  expect(await statusOf(page, `${url}/v1/user`)).toBe(401)
})

it("confirms a sensitive action in place, long after the sign-in", async () => {
  const { app, url } = await start()
  const { page } = await openDevice()
  await signIn(page, url, await app.signInPath("ada@example.com"), "ada@example.com")
  await page.goto(`${url}/app/me/passkeys`)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.locator("#main").getByText("Never used").waitFor()
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  await page.getByRole("button", { name: "Create recovery codes" }).click()
  const question = page.getByRole("dialog", { name: "This action needs a recent sign-in" })
  await question.getByRole("button", { name: "Use the passkey" }).click()
  await page.getByRole("dialog").getByRole("listitem").nth(9).waitFor()
})

it("is the second factor that an organization requires, and recovery codes replace it", async () => {
  const { app, url } = await start()
  const { page, context } = await openDevice()
  const organization = `${url}/v1/orgs/${app.organizationId}`
  await signIn(page, url, await app.signInPath("ada@example.com"), "ada@example.com")
  await page.goto(`${url}/app/me/passkeys`)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("button", { name: "Create recovery codes" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("listitem").nth(9).waitFor()
  await examine(page, "recovery-codes")
  const code = await dialog.getByRole("listitem").first().innerText()
  await dialog.getByRole("button", { name: "Close" }).last().click()
  await page.getByText("You have 10 codes.").waitFor()

  await page.goto(`${url}/app/organization`)
  await page.locator("label").filter({ hasText: "Members must use a second factor" }).click()
  await page.getByRole("button", { name: "Save" }).click()
  await expect.poll(async () => (await (await page.request.get(organization)).json()).secondFactor).toBe(true)
  await examine(page, "organization-second-factor")

  // A sign-in by a link requires the second factor, and continues by the passkey.
  await context.clearCookies()
  await page.goto(url + (await app.signInPath("ada@example.com")))
  await page.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  await page.getByRole("heading", { name: "Confirm the sign-in" }).waitFor()
  expect(await statusOf(page, organization)).toBe(403)
  await examine(page, "second-factor")
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL(/\/app/)
  expect(await statusOf(page, organization)).toBe(200)

  // Without the device, by a recovery code.
  const other = await browser.newContext({ locale: "en-US" })
  onTestFinished(() => other.close())
  const borrowed = await other.newPage()
  await borrowed.goto(url + (await app.signInPath("ada@example.com")))
  await borrowed.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  await borrowed.getByLabel("Recovery code").fill("wrong")
  await borrowed.getByRole("button", { name: "Use the recovery code" }).click()
  await borrowed.getByText("The code is unknown or was used before.").waitFor()
  await borrowed.getByLabel("Recovery code").fill(code)
  await borrowed.getByRole("button", { name: "Use the recovery code" }).click()
  await borrowed.waitForURL(/\/app/)
  expect(await statusOf(borrowed, organization)).toBe(200)

  // A member without a passkey must add one, and is then admitted.
  await app.workspace.administration.createUser({ input: { email: "bob@example.com" } })
  const invited = await page.request.post(`${organization}/invites`, {
    data: { emails: ["bob@example.com"], role: "edit" },
    headers: { origin: url }
  })
  expect(invited.status()).toBe(200)
  const { page: bob } = await openDevice()
  await bob.goto(url + (await app.signInPath("bob@example.com")))
  await bob.getByRole("button", { name: "Sign in as bob@example.com" }).click()
  await bob.getByText("Add a passkey to continue.").waitFor()
  await examine(bob, "second-factor-missing")
  await bob.getByRole("link", { name: "Add a passkey" }).click()
  await bob.getByText("An organization of yours requires a second factor.").waitFor()
  await examine(bob, "passkeys-required")
  await bob.getByRole("button", { name: "Add a passkey" }).click()
  await bob.locator("#main").getByText("Never used").waitFor()
  expect(await statusOf(bob, organization)).toBe(200)
})

it("is off at an IP address, where the page states why", async () => {
  const { app } = await start()
  const { page } = await openDevice()
  await signIn(page, app.url, await app.signInPath("ada@example.com"), "ada@example.com")
  await page.goto(`${app.url}/app/me/passkeys`)
  await page.getByText("this server is opened by an IP address").waitFor()
  await examine(page, "passkeys-off")
})
