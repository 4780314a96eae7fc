/** Checks the accessibility of a page with axe. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

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

/** Returns what axe finds on a page. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as AxeWindow).axe.run({
      // The page of the host has no heading of its own, and the editor is a part of a page.
      rules: { "page-has-heading-one": { enabled: false }, region: { enabled: false } }
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary ?? ""}`)
    )
  })
}
