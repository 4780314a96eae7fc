/** The text of a page in the application and on a published page: the same elements, roles and text for every block. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { nodeTable } from "../../markdown/test/support/nodeTable.ts"
import { createSpace, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

/** Blocks with options and content that the table of all nodes does not have. */
const further: Readonly<Record<string, string>> = {
  "headings of each depth": "# One\n\n## Two\n\n### Three\n\n#### Four",
  "several tabs":
    '{% tabs %}\n{% tab title="A" %}\nFirst\n{% endtab %}\n{% tab title="B" %}\nSecond\n{% endtab %}\n{% endtabs %}',
  "several steps":
    "{% stepper %}\n{% step %}\n### One\n\nFirst\n{% endstep %}\n{% step %}\n### Two\n{% endstep %}\n{% endstepper %}",
  "an aligned table": "| A | B | C |\n| :-- | :-: | --: |\n| 1 | 2 | 3 |",
  "a button": '<a href="https://example.com/" class="button primary">Start</a>',
  icons: '<i class="fa-gear">:gear:</i> Settings',
  "a comment": "Before\n\n<!-- A comment -->\n\nAfter <!-- another --> it",
  "hard-wrapped text": "One\ntwo\n\n- three\n  four",
  "elements of HTML": "<div><p>Text <u>here</u></p></div>"
}

const cases = [
  ...nodeTable
    .filter(({ type }) => !/^(openapi|swagger|reusable|integration|if$)/.test(type))
    .map(({ type, markdown }) => [type, markdown] as const),
  ...Object.entries(further)
]

/** An image of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Returns the parts of a document that a person perceives: its roles, their names, its text, its alignment, and the colors and icons in it. */
const perceive = (page: Page, root: string): Promise<ReadonlyArray<string>> =>
  page
    .locator(root)
    .first()
    .evaluate((host) => {
      const lines: Array<string> = []
      const roleOf = (element: Element): string => {
        const role = element.getAttribute("role")
        if (role !== null) return role
        const name = element.localName
        if (
          /^h[1-6]$|^(p|ul|ol|li|table|tr|th|td|pre|code|blockquote|details|summary|hr|img|figure|figcaption|button|kbd|strong|em|s|sup|sub|mark|time|input|br|article)$/.test(
            name
          )
        )
          return name
        return name === "a" && element.hasAttribute("href") ? "link" : ""
      }
      const visit = (node: Node): void => {
        if (node instanceof Text) {
          const text = node.data.replace(/\s+/g, " ").trim()
          const last = lines.at(-1)
          if (text === "") return
          // The boundaries of text nodes are not perceived.
          if (last === undefined || last.startsWith("<") || last === "icon") lines.push(text)
          else lines[lines.length - 1] = `${last} ${text}`
          return
        }
        if (!(node instanceof Element)) return
        if (
          node.matches(".margin-button, .tab-title, .alias") ||
          node.getAttribute("hidden") === "until-found"
        )
          return
        if (node.matches("svg.icon")) {
          lines.push("icon")
          return
        }
        if (node.matches("svg")) return
        if (node.matches("math")) {
          lines.push("<math>")
          return
        }
        const role = roleOf(node)
        const classes = [...node.classList].filter((name) =>
          /^(t-|c-|bg-|text-|heading|h-\d|button$|primary|secondary|hint$|stepper|tabs$|line$|highlighted|numbered|card$|link-card$|columns|column$|w-\d|badge$|inline-image|mention)/.test(
            name
          )
        )
        if (role !== "" || classes.length > 0)
          lines.push(`<${[role, node.getAttribute("aria-label") ?? "", ...classes.sort()].join(" ")}>`)
        for (const child of node.childNodes) visit(child)
      }
      visit(host)
      return lines
    })

const separator = "Case "

/** Returns the perceived parts of each case. A paragraph with its name precedes it. */
const byCase = (lines: ReadonlyArray<string>): Readonly<Record<string, ReadonlyArray<string>>> => {
  const found: Record<string, Array<string>> = {}
  let name = ""
  for (const [index, line] of lines.entries()) {
    if (line.startsWith(separator)) {
      name = line
      found[name] = []
    } else if (lines[index + 1]?.startsWith(separator) !== true) found[name]?.push(line)
  }
  return found
}

it("displays every block as published pages do", async () => {
  const markdown = cases.map(([name, source]) => `${separator}${name}\n\n${source}\n`).join("\n")
  const spaceId = await createSpace(app, "Blocks", [{ title: "Target", markdown: "A page." }])
  const { client } = app.ada
  const { insertedFiles } = await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [
        {
          operation: "insert_files",
          files: [{ name: "pixel.png", contentType: "image/png", base64: pixel }]
        }
      ]
    }
  })
  const [target] = (await client.content.listPages({ params: { spaceId } })).pages
  const document = {
    markdown: markdown
      .replaceAll("/files/f1", `/files/${insertedFiles![0]!.id}`)
      .replaceAll("/pages/p1", `/pages/${target!.id}`)
  }
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_page", title: "Every block", document }] }
  })
  const params = { organizationId: app.organizationId }
  const { id: siteId } = await client.sites.createSite({ params, payload: { title: "Blocks" } })
  const siteParams = { ...params, siteId }
  await client.siteSections.addSectionToSite({ params: siteParams, payload: { spaceId } })
  await client.sites.updateSiteById({ params: siteParams, payload: { visibility: "public" } })
  const { urls } = await client.sites.publishSite({ params: siteParams })
  const context = await browser.newContext({ locale: "en-US" })
  const site = await context.newPage()
  // Frames of other websites are not loaded.
  await site.route(
    (url) => !url.href.startsWith(app.url),
    (route) => route.abort()
  )
  await site.goto(new URL("every-block", urls.published!).href)
  const published = byCase(await perceive(site, ".content"))
  await context.close()
  expect(Object.keys(published)).toHaveLength(new Set(cases.map(([name]) => name)).size)
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/every-block`, async (page) => {
    await page.locator(".document").waitFor()
    await expect
      .poll(async () => byCase(await perceive(page, ".document")), { timeout: 10_000 })
      .toEqual(published)
    // A style of the interface with the same class does not apply.
    const below = await page
      .locator(".document .tabs")
      .first()
      .evaluate((tabs) => {
        const [list, panel] = [tabs.children[0]!, tabs.children[1]!].map((part) =>
          part.getBoundingClientRect()
        )
        return panel!.top >= list!.bottom
      })
    expect(below).toBe(true)
  })
}, 120_000)
