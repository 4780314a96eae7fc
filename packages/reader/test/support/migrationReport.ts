/** Measures the losses of a repository when it is imported and published: its URLs, its anchors and its API blocks. */

import { type BrokenLink, brokenLinks } from "./linkChecker.ts"
import type { PageServer } from "./scene.ts"

/** A link whose anchor does not exist on the site. */
export interface DeadAnchor extends BrokenLink {
  /** The heading of the page that the anchor names; undefined if the source has no such heading. */
  readonly heading: string | undefined
  /** Whether the broken links of the space contain it. */
  readonly isReported: boolean
}

/** The losses in the migration of a repository. */
export interface MigrationReport {
  readonly pages: number
  readonly links: number
  /** The pages whose URL differs from that of the source, as the report of the import names them. */
  readonly changedUrls: ReadonlyArray<string>
  /** The links to pages and files that do not exist. */
  readonly deadLinks: ReadonlyArray<BrokenLink>
  readonly deadAnchors: ReadonlyArray<DeadAnchor>
  /** The API blocks that are displayed without their operation, and the entries of the report of the import about specs. */
  readonly missingApis: number
  readonly reportedApis: ReadonlyArray<string>
}

/** Returns the letters and digits of text. */
const essenceOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Returns the fragment of a URL as text. */
const hashOf = (url: string): string => {
  const hash = url.split("#")[1] ?? ""
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}

/** Returns the headings in Markdown as plain text, without tags and targets of links. */
const headingsIn = (markdown: string): ReadonlyArray<string> =>
  [
    ...markdown.matchAll(
      /^ {0,3}#{1,6}[ \t]+(.*)$|<h[1-6][^>]*>([\s\S]*?)<\/h[1-6]>|<summary>([\s\S]*?)<\/summary>/gm
    )
  ].map(([, ...texts]) =>
    (texts.find((text) => text !== undefined) ?? "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\]\([^)]*\)/g, "")
      .trim()
  )

/** Publishes the repository in an archive, and walks the pages of the site. */
export const migrationReport = async (
  { workspace, user, organization }: PageServer,
  archiveUrl: string
): Promise<MigrationReport> => {
  const as = workspace.as(user)
  const { id: space } = await as.spaces.create({ organization, input: { title: "Repository" } })
  const { id: run } = await as.importRuns.start({
    organization,
    input: { source: { type: "zip", url: archiveUrl }, target: { space } }
  })
  await workspace.work.drain()
  const { status, skipped } = await as.importRuns.get({ organization, run })
  if (status !== "completed") throw new Error(`The import is ${status}.`)
  const site = await as.sites.create({ organization, input: { title: "Repository", spaces: [space] } })
  const root = (await as.sites.publish({ organization, site: site.id })).urls.published!
  const { urls, links, broken, missing } = await brokenLinks(root)
  const reported = new Set<string>()
  let cursor: string | undefined
  do {
    const { items, next } = await as.links.list({
      content: { space },
      input: { status: "broken", limit: 1_000, ...(cursor === undefined ? {} : { page: cursor }) }
    })
    for (const { targetReference: target } of items)
      if (target.kind === "url") reported.add(essenceOf(hashOf(target.url)))
    cursor = next?.page
  } while (cursor !== undefined)
  const headings = new Map<string, Promise<ReadonlyArray<string>>>()
  const headingsAt = (url: string): Promise<ReadonlyArray<string>> => {
    const known = headings.get(url) ?? fetchMarkdown(url, root).then(headingsIn)
    headings.set(url, known)
    return known
  }
  const deadAnchors: Array<DeadAnchor> = []
  for (const link of broken) {
    if (link.reason !== "no such anchor") continue
    const target = new URL(link.link, link.page)
    const essence = essenceOf(hashOf(target.href))
    const heading = (await headingsAt(target.href.split("#")[0]!)).find((text) => essenceOf(text) === essence)
    deadAnchors.push({ ...link, heading, isReported: reported.has(essence) })
  }
  return {
    pages: urls.filter((url) => !/\.(?:md|txt|xml)$/.test(url)).length,
    links,
    changedUrls: skipped.flatMap(({ resource, reason }) =>
      reason.startsWith("The URL of the page") ? [`${resource}: ${reason}`] : []
    ),
    deadLinks: broken.filter(({ reason }) => reason !== "no such anchor"),
    deadAnchors,
    missingApis: missing,
    reportedApis: skipped.flatMap(({ resource, reason }) =>
      reason.includes("displays the OpenAPI") ? [`${resource}: ${reason}`] : []
    )
  }
}

const fetchMarkdown = async (url: string, root: string): Promise<string> => {
  const response = await fetch(url === root ? `${root}readme.md` : `${url.replace(/\/$/, "")}.md`)
  return response.ok ? await response.text() : ""
}
