/** The first hour of a writer without a pointer: every step is reached by Tab and the arrow keys, and run by Enter or Space. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { git, startGitHost } from "@lectern/harness/git"
import type { Locator, Page } from "playwright-core"
import { expect, it, onTestFinished } from "vitest"
import { openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const files = {
  "README.md": "# Compass\n\nFinds the way.\n",
  "SUMMARY.md": "# Table of contents\n\n* [Compass](README.md)\n* [Install](install.md)\n* [Use](use.md)\n",
  "install.md": "# Install\n\nDownload the archive.\n",
  "use.md": "# Use\n\nOpen the map.\n"
}

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

/** The maximum number of keys from one element of a screen to another. More keys are a barrier. */
const mostKeys = 60

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement))

/**
 * Returns why a person does not see the focus, or `undefined`. It is visible by a line around the element or around a part of the screen
 * which is about it, and in text by the caret.
 */
const hiddenFocus = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement
    // After the last element of the page, the browser has the focus.
    if (focused === null || focused === document.body) return undefined
    const name = focused.outerHTML.replace(/>[\s\S]*/, ">").slice(0, 200)
    const { top, bottom, left, right, width, height } = focused.getBoundingClientRect()
    const { innerWidth, innerHeight } = window
    if (width === 0 || height === 0) return `${name} has no size.`
    if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth)
      return `${name} is not in view.`
    const isTransparent = (color: string) => /^transparent$|, 0\)$|\/ 0\)$/.test(color)
    const hasLine = (element: Element): boolean => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && !isTransparent(outlineColor)
    }
    const hasCaret = focused.matches("textarea, [contenteditable=true], input:not([type]), input[type=text]")
    for (let element: Element | null = focused, depth = 0; element !== null && depth < 4; depth++) {
      if (hasLine(element)) return undefined
      element = element.parentElement
    }
    return hasCaret ? undefined : `${name} has no line.`
  })

/** Presses a key until an element has the focus, which every step on the way displays. */
const reach = async (page: Page, target: Locator, key = "Tab"): Promise<void> => {
  await target.waitFor()
  for (let count = 0; count <= mostKeys; count++) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    expect(await hiddenFocus(page)).toBeUndefined()
  }
  throw new Error(`${target} is not reached by ${mostKeys} times ${key}.`)
}

const run = async (page: Page, target: Locator): Promise<void> => {
  await reach(page, target)
  await page.keyboard.press("Enter")
}

const named = (page: Page, role: "button" | "link", name: string): Locator =>
  page.getByRole(role, { name, exact: true }).first()

const inDialog = (page: Page, name: string): Locator =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

/** Waits until something on the screen has the focus after a dialog: the next key continues there and not at the top. */
const untilFocused = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

/** Closes a dialog by Escape, and expects the focus on the button that opened it. */
const cancel = async (page: Page, opener: Locator): Promise<void> => {
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await expect.poll(() => hasFocus(opener)).toBe(true)
}

/** Chooses an option of a group of radio buttons, of which the first can have the focus. */
const choose = async (page: Page, option: Locator): Promise<void> => {
  const group = page
    .getByRole("radiogroup")
    .filter({ has: option })
    .or(page.locator("fieldset", { has: option }))
  await reach(page, group.first())
  for (let count = 0; count < 10 && !(await option.isChecked()); count++)
    await page.keyboard.press(count === 0 ? "Space" : "ArrowDown")
  expect(await option.isChecked()).toBe(true)
}

/** Opens a page of the tree of pages. */
const openPage = async (page: Page, title: string): Promise<void> => {
  const row = page.getByRole("row", { name: title }).first()
  await reach(page, page.getByRole("treegrid").filter({ has: row }).first())
  await page.keyboard.press("Home")
  await reach(page, row, "ArrowDown")
  await page.keyboard.press("Enter")
}

/** Writes at the end of the page that is edited. */
const write = async (page: Page, title: string, text: string): Promise<void> => {
  await reach(page, page.getByRole("textbox", { name: title, exact: true }))
  await page.keyboard.press("Control+End")
  await page.keyboard.type(text)
  await page.getByText(/^Saved in change request #\d+$/).waitFor()
  // Tab leaves the text from a block that is selected.
  await page.keyboard.press("Escape")
}

it("signs in, imports a repository, edits three pages, requests a review, resolves a conflict, merges, publishes and invites by the keyboard, and always shows the focus", async () => {
  const repository = await startRepository()
  const { client } = app.ada
  const { id: spaceId } = await client.spaces.createSpace({
    params: { organizationId: app.organizationId },
    payload: { title: "Compass" }
  })
  await withApplication(
    browser,
    app,
    undefined,
    "/",
    async (page) => {
      await page.goto(`${app.url}${await app.signInPath("ada@example.com")}`)
      await run(page, named(page, "button", "Sign in as ada@example.com"))
      await run(page, page.locator("#main").getByRole("link", { name: "Compass" }).first())

      await run(page, named(page, "link", "Import pages"))
      await choose(page, page.getByLabel("Repository", { exact: true }))
      await reach(page, page.getByLabel("URL of the repository or the archive"))
      await page.keyboard.type(repository)
      await choose(page, page.getByLabel("Directly into the space"))
      await run(page, named(page, "button", "Start import"))
      await page.getByText("Completed").waitFor({ timeout: 60_000 })
      await run(page, named(page, "link", "Open the pages"))

      await run(page, named(page, "button", "Edit"))
      await write(page, "Compass", " It works at night.")
      await openPage(page, "Install")
      await write(page, "Install", " Check its signature.")
      await openPage(page, "Use")
      await write(page, "Use", " Turn it north.")

      await run(page, named(page, "button", "Request review"))
      await page.getByText("Review requested").waitFor()
      await run(page, named(page, "link", "Review changes"))
      await page.getByText("3 pages edited").waitFor()

      const { pages } = await client.content.listPages({ params: { spaceId } })
      const install = pages.find(({ title }) => title === "Install")!
      await client.content.updateSpaceContent({
        params: { spaceId },
        payload: {
          changes: [
            {
              operation: "update_page",
              page: install.id,
              document: { markdown: "Download the installer.\n" }
            }
          ]
        }
      })
      await page.getByRole("region", { name: "Conflict in Install" }).waitFor()
      await choose(page, page.getByRole("radio", { name: "Use this change request" }).first())
      await run(page, named(page, "button", "Apply and update"))
      await page.getByText("Conflicts resolved").waitFor()
      const merge = named(page, "button", "Merge")
      await run(page, merge)
      await cancel(page, merge)
      await run(page, merge)
      await run(page, inDialog(page, "Merge"))
      await page.getByText("Change request merged").waitFor()
      await untilFocused(page)

      await page.keyboard.press("Control+k")
      await page.keyboard.type("sites")
      await page.getByRole("option", { name: /sites/i }).first().waitFor()
      await page.keyboard.press("Enter")
      const create = named(page, "button", "New site")
      await run(page, create)
      await cancel(page, create)
      await run(page, create)
      await reach(page, page.getByRole("dialog").getByLabel("Title"))
      await page.keyboard.type("Compass docs")
      await reach(page, page.getByRole("dialog").getByLabel("Compass"))
      await page.keyboard.press("Space")
      await run(page, inDialog(page, "Create"))
      await untilFocused(page)
      await run(page, named(page, "button", "Publish"))
      await page.getByText("“Compass docs” is published").waitFor()
      await untilFocused(page)

      await page.keyboard.press("Control+k")
      await page.keyboard.type("members")
      await page
        .getByRole("option", { name: /members/i })
        .first()
        .waitFor()
      await page.keyboard.press("Enter")
      const invite = named(page, "button", "Invite")
      await run(page, invite)
      await cancel(page, invite)
      await run(page, invite)
      await reach(page, page.getByLabel("E-mail addresses"))
      await page.keyboard.type("grace@example.com")
      await run(page, inDialog(page, "Invite"))
      await page.getByText("grace@example.com").first().waitFor()
      await expect.poll(() => hasFocus(invite)).toBe(true)
    },
    {},
    /401/
  )
})

it("takes the keys for the command palette that are typed while its code is loaded, and returns the focus", async () => {
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const start = named(page, "button", "New space")
    await start.focus()
    const loading = Promise.withResolvers<void>()
    await page.route(/\.js$/, async (route) => {
      await loading.promise
      await route.continue()
    })
    await page.keyboard.press("Control+k")
    await page.keyboard.type("gh member")
    loading.resolve()
    const field = page.getByRole("combobox", { name: "Search and run commands" })
    await field.waitFor()
    expect(await field.inputValue()).toBe("gh member")
    await page.keyboard.type("s")
    expect(await field.inputValue()).toBe("gh members")
    await page.keyboard.press("Escape")
    await field.waitFor({ state: "detached" })
    await expect.poll(() => hasFocus(start)).toBe(true)
  })
})
