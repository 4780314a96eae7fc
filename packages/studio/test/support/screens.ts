/** Visits screens: each must be accessible in light and dark and at phone width, without errors. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { expect } from "vitest"
import { findViolations, type TestApplication, type TestUser, withApplication } from "./application.ts"

/** The folder for screenshots; without it, none are taken. */
const folder = process.env.LECTERN_SCREENSHOTS

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

/** The ways in which a screen is displayed. */
export const appearances = [
  { name: "light", colorScheme: "light", viewport: desktop },
  { name: "dark", colorScheme: "dark", viewport: desktop },
  { name: "phone", colorScheme: "light", viewport: phone }
] as const

/** Whether the content is wider than the window. */
export const hasOverflow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)

/** A screen to visit. */
export interface VisitedScreen {
  readonly name: string
  readonly path: string
  /** Text of the screen once it is loaded. */
  readonly ready: string | RegExp
}

/** Opens screens in all appearances: each must be accessible, and no wider than the window. */
export const visitScreens = (
  browser: Browser,
  app: TestApplication,
  user: TestUser,
  screens: ReadonlyArray<VisitedScreen>
): Promise<void> =>
  withApplication(browser, app, user, "/", async (page) => {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    const found: Array<string> = []
    for (const { name, path, ready } of screens) {
      await page.goto(`${app.url}/app${path}`)
      await page.locator("#main").getByText(ready).first().waitFor()
      for (const { name: appearance, colorScheme, viewport } of appearances) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await page.setViewportSize(viewport)
        const problems = await findViolations(page)
        found.push(...problems.map((problem) => `${name}, ${appearance}: ${problem}`))
        if (await hasOverflow(page)) found.push(`${name}, ${appearance}: wider than the window`)
        if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${appearance}.png`) })
      }
    }
    expect(found).toEqual([])
  })
