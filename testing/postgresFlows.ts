/** The flows of people in the browser that run on PostgreSQL, too: `npm run test:browser:postgres`. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The titles of ten flows, by the test file that has them. */
export const postgresFlows: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/studio/test/writersHour.browser.test.ts": [
    "signs in, imports a repository, edits three pages, requests a review, resolves a conflict, merges, publishes and invites"
  ],
  "packages/studio/test/changes.browser.test.ts": [
    "proposes an edit in three clicks, and merges it in two",
    "undoes an earlier merge by a new revision, and reports that later changes are undone, too",
    "displays conflicts before a merge, resolves one in two clicks, and then merges in two",
    "approves in three clicks from the start page, and offers no merge to a person who may not merge"
  ],
  "packages/studio/test/imports.browser.test.ts": [
    "imports a document into a change request, which is reviewed before the space changes",
    "downloads a space as an archive and as a PDF"
  ],
  "packages/studio/test/sites.browser.test.ts": [
    "creates a site, publishes it in one click, and lists the links that stop working before it is unpublished",
    "creates a share link, pauses it, and admits a test visitor of an authenticated site",
    "tests the target of a redirect, and restores a deleted one"
  ]
}

const root = fileURLToPath(new URL("..", import.meta.url))

/** Returns a pattern that matches the titles of the flows. Throws if a file lacks one: it would not run. */
export const flowPattern = (): RegExp => {
  const titles = Object.entries(postgresFlows).flatMap(([file, flows]) => {
    const source = readFileSync(`${root}/${file}`, "utf8")
    for (const title of flows) {
      if (!source.includes(`it("${title}"`)) throw new Error(`${file} has no test "${title}".`)
    }
    return flows
  })
  // Titles have no characters with a meaning in patterns.
  return new RegExp(`(${titles.join("|")})$`)
}
