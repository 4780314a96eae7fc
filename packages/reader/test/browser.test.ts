/** Published sites in a real browser. */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { runs } from "@lectern/harness"
import fc from "fast-check"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openBrowser } from "./support/browser.ts"
import { hostileMarkdown } from "./support/hostileMarkdown.ts"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

/** The number of generated pages with adversarial content. */
const hostilePages = runs(250).numRuns

let server: PageServer
let site: TestSite
let browser: Browser

beforeAll(async () => {
  server = await startPageServer()
  site = await createTestSite(server)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Opens a page of the site, and fails on errors of its script or its policy. */
const withPage = async (
  path: string,
  run: (page: Page, context: BrowserContext) => Promise<void>,
  options: BrowserContextOptions = {}
) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  // Only the server of the test is reachable.
  await context.route(
    (url) => url.origin !== new URL(server.url).origin && url.protocol.startsWith("http"),
    (route) => route.abort()
  )
  const page = await context.newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    if (/Content.Security.Policy|Refused/.test(message.text())) errors.push(message.text())
  })
  try {
    await page.goto(new URL(path, site.url).href)
    await run(page, context)
    expect(errors).toEqual([])
  } finally {
    await context.close()
  }
}

interface AxeWindow {
  readonly axe: {
    run(options: object): Promise<{
      readonly violations: ReadonlyArray<{
        id: string
        nodes: ReadonlyArray<{ html: string; failureSummary?: string }>
      }>
    }>
  }
}

const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    // The frames of other websites are not part of the page.
    const { violations } = await (window as unknown as AxeWindow).axe.run({ iframes: false })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`)
    )
  })
}

describe("a reader", () => {
  it("reads, follows links and the navigation", () =>
    withPage("", async (page) => {
      await page.getByRole("link", { name: "installation" }).click()
      expect(await page.textContent("h1")).toBe("Install")
      await page
        .getByRole("navigation", { name: "Main navigation" })
        .getByRole("link", { name: "Blocks" })
        .click()
      expect(await page.textContent("h1")).toBe("Blocks")
      expect(await page.getAttribute(".tree [aria-current=page]", "href")).toBe("blocks")
      await page.getByRole("link", { name: /Previous/ }).click()
      expect(await page.textContent("h1")).toBe("With Docker")
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "API" }).click()
      expect(await page.textContent("h1")).toBe("Overview")
      await page.getByRole("link", { name: "the guide" }).click()
      expect(page.url()).toBe(site.url)
    }))

  it("sees in the navigation that a page after a group is not one of its pages", () =>
    withPage("", async (page) => {
      const tree = page.locator(".sidebar > .tree")
      const box = async (selector: string) => (await tree.locator(selector).boundingBox())!
      const group = await box("> li.group")
      const after = await box("> li.group + li")
      expect(after.y - (group.y + group.height)).toBeGreaterThan(16)
    }))

  it("searches in a dialog with the keyboard, without loading a page", () =>
    withPage("guides/blocks", async (page) => {
      await page.evaluate(() => Object.assign(window, { isSamePage: true }))
      await page.keyboard.press("Control+k")
      const input = page.getByRole("searchbox", { name: "Search" })
      await input.fill("docker")
      const result = page
        .getByRole("dialog")
        .getByRole("link", { name: /With Docker/ })
        .first()
      await result.waitFor()
      expect(await page.evaluate(() => "isSamePage" in window)).toBe(true)
      await page.keyboard.press("ArrowDown")
      expect(await page.evaluate(() => document.activeElement?.closest(".search-results") !== null)).toBe(
        true
      )
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("Enter")
      await page.waitForURL(/docker/)
      expect(await page.textContent("h1")).toBe("With Docker")
      await page.keyboard.press("/")
      await page.keyboard.press("Escape")
      expect(await page.locator("dialog[open]").count()).toBe(0)
    }))

  it("finds the same pages in the dialog of every page as on the search page", () =>
    withPage("~/search?q=docker", async (page) => {
      const links = (scope: string) =>
        page
          .locator(`${scope} .search-results a`)
          .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href))
      const expected = await links("main")
      expect(expected.length).toBeGreaterThan(0)
      for (const path of ["", "guides/blocks", "guides/install/docker"]) {
        await page.goto(site.url + path)
        await page.keyboard.press("Control+k")
        await page.getByRole("searchbox", { name: "Search" }).fill("docker")
        await page.getByRole("dialog").getByRole("link").first().waitFor()
        expect(await links("dialog")).toEqual(expected)
      }
    }))

  it("switches the variant", () =>
    withPage("", async (page) => {
      await page.locator(".variants summary").click()
      await page.getByRole("link", { name: "Guide 3.0 (beta)" }).click()
      expect(await page.textContent(".content")).toContain("Welcome to Guide 3.0 (beta)")
    }))

  it("switches the theme, which the next page retains", () =>
    withPage("", async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      const light = await background()
      await page.getByRole("button", { name: /Switch between/ }).click()
      const dark = await background()
      expect(dark).not.toBe(light)
      await page.goto(`${site.url}guides/install`)
      expect(await background()).toBe(dark)
    }))

  it("selects tabs with the keyboard", () =>
    withPage("guides/blocks", async (page) => {
      const tab = (name: string) => page.getByRole("tab", { name, exact: true })
      await tab("npm").focus()
      await page.keyboard.press("ArrowRight")
      expect(await tab("pnpm").getAttribute("aria-selected")).toBe("true")
      await page.getByText("pnpm add lectern").waitFor()
      expect(await page.getByText("npm install lectern", { exact: true }).isVisible()).toBe(false)
    }))

  it("copies code, and the page as Markdown", () =>
    withPage(
      "guides/install",
      async (page) => {
        await page.locator("figure.code").first().hover()
        await page.locator("figure.code .copy").first().click()
        await page.locator(".copy.done").first().waitFor()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
          "npm install lectern\nnpx lectern serve"
        )
        await page.locator(".page-actions summary").click()
        await page.getByRole("button", { name: "Copy page as Markdown" }).click()
        await page.locator("[data-copy=page].done").waitFor()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^# Install\n/)
      },
      { permissions: ["clipboard-read", "clipboard-write"] }
    ))

  it("sees the target of an anchor within a tab", () =>
    withPage("guides/blocks#tab-docker", async (page) => {
      await page.getByText("Run the image").waitFor()
    }))

  it("sees the target of an anchor in the form of another program", () =>
    withPage("guides/blocks#Tab_&-docker", async (page) => {
      await page.getByText("Run the image").waitFor()
    }))

  it("uses the keyboard only: skips to the content, and sees the focus", () =>
    withPage("guides/install", async (page) => {
      await page.keyboard.press("Tab")
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content")
      await page.keyboard.press("Enter")
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("~main")
      for (let step = 0; step < 12; step++) {
        await page.keyboard.press("Tab")
        const outline = await page.evaluate(() =>
          document.activeElement === document.body
            ? "end of the page"
            : `${document.activeElement!.outerHTML.slice(0, 100)} ${getComputedStyle(document.activeElement!).outlineStyle}`
        )
        expect(outline).not.toMatch(/ none$/)
      }
    }))

  it("reads and searches without JavaScript", () =>
    withPage(
      "guides/blocks",
      async (page) => {
        expect(await page.getByText("pnpm add lectern").isVisible()).toBe(true)
        await page.getByText("What is inside?").click()
        await page.getByText("The answer, with").waitFor()
        await page.getByRole("link", { name: "Search" }).click()
        await page.getByRole("searchbox").fill("docker")
        await page.keyboard.press("Enter")
        await page
          .getByRole("link", { name: /With Docker/ })
          .first()
          .click()
        expect(await page.textContent("h1")).toBe("With Docker")
      },
      { javaScriptEnabled: false }
    ))

  it("opens the navigation on a phone, where nothing overflows", () =>
    withPage(
      "guides/blocks",
      async (page) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
        const install = page.locator(".sidebar").getByRole("link", { name: "Install" })
        expect(await install.isVisible()).toBe(false)
        await page.getByRole("button", { name: "Menu" }).click()
        await install.click()
        expect(await page.textContent("h1")).toBe("Install")
      },
      { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }
    ))

  it("prints the content of all tabs, without the navigation", () =>
    withPage("guides/blocks", async (page) => {
      await page.emulateMedia({ media: "print" })
      expect(await page.getByText("pnpm add lectern").isVisible()).toBe(true)
      expect(await page.locator(".sidebar").isVisible()).toBe(false)
      expect(await page.locator(".site-header").isVisible()).toBe(false)
    }))
})

describe("accessibility", () => {
  const paths = [
    "",
    "guides/install",
    "guides/blocks",
    "api/pets",
    "api/models",
    "~/search?q=install",
    "nope"
  ]

  it.each(
    paths.flatMap((path) => (["light", "dark"] as const).map((colorScheme) => ({ path, colorScheme })))
  )("has no violation: /$path in the $colorScheme theme", ({ path, colorScheme }) =>
    withPage(
      path,
      async (page) => {
        expect(await violations(page)).toEqual([])
      },
      { colorScheme }
    )
  )

  it("has no violation in the search dialog and on a phone", () =>
    withPage(
      "guides/install",
      async (page) => {
        await page.getByRole("button", { name: "Menu" }).click()
        expect(await violations(page)).toEqual([])
        await page.keyboard.press("Escape")
        await page.getByRole("link", { name: "Search" }).click()
        await page.getByRole("searchbox").fill("install")
        await page.getByRole("dialog").getByRole("link").first().waitFor()
        expect(await violations(page)).toEqual([])
      },
      { viewport: { width: 375, height: 740 } }
    ))
})

it("signs a member in to a site for members, and shows the pages of the application, without a violation", async () => {
  const { organization, workspace, user } = server
  const as = workspace.as(user)
  const { id } = await as.spaces.create({ organization, input: { title: "Internal" } })
  await as.content.edit({
    content: { space: id },
    input: {
      changes: [{ operation: "insert_page", title: "Salaries", document: { markdown: "For members" } }]
    }
  })
  const created = await as.sites.create({
    organization,
    input: { title: "Internal", visibility: "visitor-auth", spaces: [id] }
  })
  const { urls } = await as.sites.publish({ organization, site: created.id })
  await as.siteSettings.updatePublishingAuth({
    organization,
    site: created.id,
    input: { fallbackURL: `${server.url}/~/visit/${organization}/${created.id}` }
  })
  await withPage(urls.published!, async (page) => {
    expect(await violations(page)).toEqual([])
    const { search } = new URL(page.url())
    await page.goto(`${await server.createSignInLink()}${search}`)
    expect(await violations(page)).toEqual([])
    await page.getByRole("button").click()
    await page.getByText("For members").waitFor()
    expect(page.url()).toBe(urls.published)
    const { urls: application } = await as.organizations.get({ organization })
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      // The colors of a page whose theme changes are between both at first.
      await page.goto(application.app)
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole("link", { name: "Internal" }).first().click()
    expect(await violations(page)).toEqual([])
    await page.getByRole("link", { name: "Internal" }).click()
    await page.getByText("For members").waitFor()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.goto(application.app)
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
  })
})

it(`executes nothing of ${hostilePages} hostile pages`, async () => {
  const as = server.workspace.as(server.user)
  const { id } = await as.spaces.create({ organization: server.organization, input: { title: "Hostile" } })
  const pages = fc.sample(hostileMarkdown, { numRuns: hostilePages, seed: 42 })
  for (let at = 0; at < pages.length; at += 50) {
    await as.content.edit({
      content: { space: id },
      input: {
        changes: pages.slice(at, at + 50).map((source, index) => ({
          operation: "insert_page" as const,
          title: `<script>window.executed=1</script>"'> ${at + index}`,
          slug: `page-${at + index}`,
          description: "<img src=x onerror=window.executed=1>",
          icon: 'x"onload=window.executed=1',
          // The API rejects NUL characters.
          document: { markdown: source.replaceAll("\u0000", "").toWellFormed() }
        }))
      }
    })
  }
  const hostile = await as.sites.create({
    organization: server.organization,
    input: { title: "<script>window.executed=1</script>", spaces: [id] }
  })
  const published = await as.sites.publish({ organization: server.organization, site: hostile.id })
  const context = await browser.newContext()
  // Without the policy of the server, which would hide what escapes the rendering.
  let body = ""
  await context.route("**/*", (route) =>
    route.request().isNavigationRequest() && route.request().frame().parentFrame() === null
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body })
      : route.abort()
  )
  const page = await context.newPage()
  let dialogs = 0
  page.on("dialog", (dialog) => {
    dialogs++
    void dialog.dismiss()
  })
  const batch = 25
  for (let at = 0; at < pages.length; at += batch) {
    const rendered = await Promise.all(
      Array.from({ length: batch }, async (_, index) => {
        const response = await fetch(`${published.urls.published}page-${at + index}`)
        expect(response.status).toBe(200)
        return await response.text()
      })
    )
    body = `<!doctype html><html><body>${rendered.map((html) => html.slice(html.indexOf("<main"), html.lastIndexOf("</main>") + 7)).join("")}`
    await page.goto(published.urls.published!, { waitUntil: "domcontentloaded" })
    const found = await page.evaluate(async () => {
      for (const details of document.querySelectorAll("details")) details.open = true
      await new Promise((resolve) => setTimeout(resolve, 20))
      const schemes = Array.from(
        document.querySelectorAll<HTMLAnchorElement>("a"),
        ({ protocol }) => protocol
      )
      return {
        isExecuted: "executed" in window,
        schemes: schemes.filter((scheme) => !/^(https?|mailto|tel):$/.test(scheme)),
        pages: document.querySelectorAll("main").length
      }
    })
    expect(found).toEqual({ isExecuted: false, schemes: [], pages: batch })
  }
  await context.close()
  expect(dialogs).toBe(0)
})
