/** Every screen: it is accessible, no wider than the window, free of errors, and looks as committed. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { fillPath } from "../src/router/paths.ts"
import { findViolations, openApplication, withApplication } from "./support/application.ts"
import { fixTexts, fixTimes } from "./support/fixedDisplay.ts"
import { checkImage } from "./support/images.ts"
import { nameOf, patterns } from "./support/routes.ts"
import { appearances, hasOverflow } from "./support/screens.ts"
import { seedWorkspace } from "./support/seed.ts"
import { followRequests } from "./support/settled.ts"

const { app, browser } = await openApplication()
const params = await seedWorkspace(app)

const committedFolder = fileURLToPath(new URL("./screenshots", import.meta.url))
const copyFolder = process.env.LECTERN_SCREENSHOTS ?? join(tmpdir(), "lectern-screenshots")

/** The requests that fail with a token of an API in place of a session. */
const withoutSession = /\/~\/passkeys/

it("has an address with seeded values for every screen", () => {
  const names = patterns.flatMap((pattern) => [...pattern.matchAll(/[:*](\w+)/g)].map(([, name]) => name!))
  expect(names.filter((name) => params[name] === undefined)).toEqual([])
})

it.each(patterns)("displays %s accessibly in every appearance, as committed", (pattern) =>
  withApplication(
    browser,
    app,
    app.ada,
    "/",
    async (page) => {
      await fixTimes(page.context())
      const untilSettled = followRequests(page)
      await page.goto(`${app.url}/app${fillPath(pattern, params)}`)
      const found: Array<string> = []
      for (const { name: appearance, colorScheme, viewport } of appearances) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await page.setViewportSize(viewport)
        await untilSettled()
        // A busy machine displays a screen between two of its requests.
        await page.waitForTimeout(500)
        await untilSettled()
        found.push(...(await findViolations(page)).map((problem) => `${appearance}: ${problem}`))
        if (await hasOverflow(page)) found.push(`${appearance}: wider than the window`)
        await fixTexts(page)
        const png = await page.screenshot({ animations: "disabled" })
        const name = `${nameOf(pattern)}-${appearance}`
        const difference = await checkImage(
          png,
          join(committedFolder, `${name}.webp`),
          join(copyFolder, `${name}.png`)
        )
        if (difference !== undefined) found.push(`${appearance}: ${difference}`)
      }
      expect(
        await page.locator(".state-icon .lucide-search-x, .state-icon .lucide-circle-slash").count()
      ).toBe(0)
      expect(found).toEqual([])
    },
    {},
    withoutSession
  )
)
