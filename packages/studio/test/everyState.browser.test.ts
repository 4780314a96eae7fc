/** Every screen in every state of its data: loading, empty, failed, offline and not permitted. */
import { expect, it } from "vitest"
import { fillPath } from "../src/router/paths.ts"
import { findViolations, openApplication, withApplication } from "./support/application.ts"
import { patterns } from "./support/routes.ts"
import { seedWorkspace } from "./support/seed.ts"
import { dataStates, setDataState } from "./support/states.ts"

const { app, browser } = await openApplication()
const params = await seedWorkspace(app)

/** The screens that display everything without a request, with the reason. They have no other states. */
const withoutData: Readonly<Record<string, string>> = {
  "/search": "It searches once there is a query.",
  "/me": "The session has the profile.",
  "/join/:organization/:invite":
    "The id of the invite is its only credential, and joining is its first request."
}

/** The screens with a list that is never empty, with the reason. */
const neverEmpty: Readonly<Record<string, string>> = {
  "/spaces/:space/history": "A space has its first revision."
}

/** The screens that explain what a person has to do instead of a missing permission, with the reason. */
const explained: Readonly<Record<string, string>> = {
  "/me/passkeys": "Without a session that opens the whole account, it leads to signing in."
}

/** The browser reports each failed request, which the states consist of. */
const failedRequests = /Failed to load resource/

it.each(patterns)("displays every state of %s accessibly, without errors of scripts", async (pattern) => {
  const found: Array<string> = []
  for (const state of dataStates) {
    await withApplication(
      browser,
      app,
      app.ada,
      "/",
      async (page) => {
        await setDataState(page, state)
        await page.goto(`${app.url}/app${fillPath(pattern, params)}`)
        const isNeverEmpty = state.name === "empty" && neverEmpty[pattern] !== undefined
        const isExplained = state.name === "not permitted" && explained[pattern] !== undefined
        if (withoutData[pattern] !== undefined || isNeverEmpty || isExplained)
          await page.locator("#main h1").waitFor()
        else {
          const isDisplayed = () => state.isDisplayed(page)
          await expect
            .poll(isDisplayed, { timeout: 60_000 })
            .toBe(true)
            .catch(async () => {
              const text = await page.locator("#main").innerText()
              found.push(`${state.name} is not displayed, but: ${text.slice(0, 200)}`)
            })
        }
        const problems = await findViolations(page)
        // Some screens have no title until they are loaded.
        const relevant = problems.filter(
          (problem) => state.name !== "loading" || !problem.startsWith("page-has-heading-one")
        )
        found.push(...relevant.map((problem) => `${state.name}: ${problem}`))
      },
      {},
      failedRequests
    ).catch((error: unknown) => found.push(`${state.name}: ${String(error)}`))
  }
  expect(found).toEqual([])
})
