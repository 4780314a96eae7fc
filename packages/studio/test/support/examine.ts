/** Examines pages of the server outside of the application, such as the page of sign-ins. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { findViolations } from "./application.ts"

const shots = process.env.LECTERN_SCREENSHOTS

/** Checks a page for accessibility, and takes screenshots of it in light, dark and at the width of a phone. */
export const examine = async (page: Page, name: string): Promise<void> => {
  expect([name, await findViolations(page)]).toEqual([name, []])
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  const before = page.viewportSize()!
  for (const [suffix, colorScheme, width] of [
    ["light", "light", 1280],
    ["dark", "dark", 1280],
    ["phone", "light", 390]
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.setViewportSize({ width, height: 800 })
    await page.screenshot({ path: join(shots, `${name}-${suffix}.png`) })
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize(before)
}
