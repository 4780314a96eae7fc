/** The first hour of a writer, with an image of every step: from the sign-in to the invitation of a colleague. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { git, startGitHost } from "@lectern/harness/git"
import type { Page } from "playwright-core"
import { expect, it, onTestFinished } from "vitest"
import {
  findViolations,
  openApplication,
  type TestApplication,
  withApplication
} from "./support/application.ts"
import { fixTexts, fixTimes } from "./support/fixedDisplay.ts"
import { checkImage } from "./support/images.ts"
import { followRequests } from "./support/settled.ts"

const { app, browser } = await openApplication()

const committedFolder = fileURLToPath(new URL("./screenshots/hour", import.meta.url))
const copyFolder = join(process.env.LECTERN_SCREENSHOTS ?? join(tmpdir(), "lectern-screenshots"), "hour")

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const submit = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click()

const files = {
  "README.md": "# Compass\n\nFinds the way.\n",
  "SUMMARY.md": "# Table of contents\n\n* [Compass](README.md)\n* [Install](install.md)\n* [Use](use.md)\n",
  "install.md": "# Install\n\nDownload the archive.\n\nThen unpack it.\n",
  "use.md": "# Use\n\nOpen the map.\n"
}

/** Starts a Git server with a repository of three pages. Returns its URL. */
const startRepository = async (): Promise<string> => {
  const root = mkdtempSync(join(tmpdir(), "lectern-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const host = await startGitHost(root)
  onTestFinished(host.close)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(host.work, path)), { recursive: true })
    writeFileSync(join(host.work, path), text)
  }
  git(host.work, "add", ".")
  git(host.work, "commit", "-m", "Write the guide")
  git(host.work, "push", "origin", "main")
  return host.url
}

/** Writes at the end of a paragraph of the page that is edited. */
const writeAfter = async (page: Page, title: string, paragraph: string, text: string): Promise<void> => {
  await page.getByRole("textbox", { name: title, exact: true }).getByText(paragraph).click()
  await page.keyboard.press("End")
  await page.keyboard.type(text)
  await page.getByText(/^Saved in change request #\d+$/).waitFor()
}

/** Changes a page of the space as a colleague does. */
const changeAsColleague = async (
  { ada: { client } }: TestApplication,
  spaceId: string,
  title: string,
  markdown: string
): Promise<void> => {
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const page = pages.find((candidate) => candidate.title === title)!
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "update_page", page: page.id, document: { markdown } }] }
  })
}

it("signs in, imports a repository, edits three pages, requests a review, resolves a conflict, merges, publishes and invites", async () => {
  const repository = await startRepository()
  const { id: spaceId } = await app.ada.client.spaces.createSpace({
    params: { organizationId: app.organizationId },
    payload: { title: "Compass" }
  })
  const problems: Array<string> = []
  await withApplication(
    browser,
    app,
    undefined,
    "/",
    async (page) => {
      await fixTimes(page.context())
      const untilSettled = followRequests(page)
      let step = 0
      /** Examines the screen of a step, and compares it with the committed image. */
      const examine = async (name: string): Promise<void> => {
        await untilSettled()
        problems.push(...(await findViolations(page)).map((problem) => `${name}: ${problem}`))
        // The messages of the last change disappear at a time of their own.
        await page.locator(".toasts").evaluate((toasts) => toasts.style.setProperty("visibility", "hidden"))
        await fixTexts(page)
        const file = `${String(++step).padStart(2, "0")}-${name}`
        const difference = await checkImage(
          await page.screenshot({ animations: "disabled" }),
          join(committedFolder, `${file}.webp`),
          join(copyFolder, `${file}.png`)
        )
        await page.locator(".toasts").evaluate((toasts) => toasts.style.removeProperty("visibility"))
        if (difference !== undefined) problems.push(`${file}: ${difference}`)
      }

      await page.goto(`${app.url}${await app.signInPath("ada@example.com")}`)
      await page.getByRole("button", { name: "Sign in as ada@example.com" }).click()
      await page.getByRole("link", { name: "Compass" }).first().waitFor()
      await examine("signed-in")

      await page.getByRole("link", { name: "Compass" }).first().click()
      await page.getByRole("link", { name: "Import pages" }).click()
      await page.getByLabel("Repository", { exact: true }).check()
      await page.getByLabel("URL of the repository or the archive").fill(repository)
      await page.getByLabel("Directly into the space").check()
      await button(page, "Start import").click()
      await page.getByText("Completed").waitFor({ timeout: 60_000 })
      await examine("imported")

      await page.goto(`${app.url}/app/spaces/${spaceId}`)
      await button(page, "Edit").click()
      await writeAfter(page, "Compass", "Finds the way.", " It works at night.")
      await page.getByRole("row", { name: "Install" }).first().click()
      await writeAfter(page, "Install", "Download the archive.", " Check its signature.")
      await page.getByRole("row", { name: "Use" }).first().click()
      await writeAfter(page, "Use", "Open the map.", " Turn it north.")
      await examine("edited")

      await button(page, "Request review").click()
      await page.getByText("Review requested").waitFor()
      await page.getByRole("link", { name: "Review changes" }).click()
      await page.getByText("3 pages edited").waitFor()
      await examine("review-requested")

      await changeAsColleague(app, spaceId, "Install", "Download the installer.\n\nThen unpack it.\n")
      await page.getByRole("region", { name: "Conflict in Install" }).waitFor()
      await examine("conflict")
      await page.getByText("Use this change request").click()
      await button(page, "Apply and update").click()
      await page.getByText("Conflicts resolved").waitFor()
      await button(page, "Merge").click()
      await submit(page, "Merge")
      await page.getByText("Change request merged").waitFor()
      await examine("merged")

      await page.goto(`${app.url}/app/sites`)
      await button(page, "New site").first().click()
      await page.getByRole("dialog").getByLabel("Title").fill("Compass docs")
      await page.getByRole("dialog").getByLabel("Compass").check()
      await submit(page, "Create")
      await button(page, "Publish").click()
      await page.getByText("“Compass docs” is published").waitFor()
      await examine("published")
      const href = await page.getByRole("link", { name: "Open the site" }).getAttribute("href")
      expect(await (await fetch(href!)).text()).toContain("It works at night.")

      await page.goto(`${app.url}/app/organization/members`)
      await button(page, "Invite").click()
      await page.getByLabel("E-mail addresses").fill("grace@example.com")
      await submit(page, "Invite")
      await page.getByText("grace@example.com").first().waitFor()
      await examine("invited")
    },
    {},
    /401/
  )
  expect(problems).toEqual([])
})
