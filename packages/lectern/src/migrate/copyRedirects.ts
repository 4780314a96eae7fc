/** Copies redirects of sites, and adds redirects from URLs that changed. */
import { Effect } from "effect"
import type { Fields, Item } from "./ApiClient.ts"
import { type Findings, type MigrationContext, onceComplete, step, textOf } from "./Context.ts"
import { type SitePaths, type SourceStructure, spaceOf } from "./copySites.ts"
import { flattenPages } from "./SourceContent.ts"

/** The maximum number of redirects of a request. */
const maximumRedirects = 100

interface Redirect {
  readonly source: string
  readonly destination: Fields
  readonly intent?: "live" | "draft"
  readonly captureWildcard?: boolean
  readonly permanent?: boolean
}

/** Returns the fields that servers of an earlier version of the contract do not have. */
const optionsOf = ({ captureWildcard, permanent, draft }: Item) => ({
  intent: draft === true ? ("draft" as const) : ("live" as const),
  captureWildcard: captureWildcard === true,
  permanent: permanent === true
})

/** Replaces the ids of a destination. */
const mapDestination = (
  { journal }: MigrationContext,
  destination: Fields,
  spaces: ReadonlyMap<string, string>
) => {
  const siteSpace = textOf(destination.siteSpaceId)
  const ids = {
    siteSectionId: journal.idOf(`section/${textOf(destination.siteSectionId)}`),
    siteSpaceId: journal.idOf(`site-space/${siteSpace}`),
    pageId: journal.idOf(`page/${spaces.get(siteSpace) ?? ""}/${textOf(destination.pageId)}`)
  }
  const present = Object.entries(ids).filter(([name]) => destination[name] !== undefined)
  return present.some(([, id]) => id === undefined)
    ? undefined
    : { ...destination, ...Object.fromEntries(present) }
}

const encodePath = (path: string): string =>
  `/${path
    .split("/")
    .filter((part) => part !== "")
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
      )
    )
    .join("/")}`

/** The path of each space on the site, without the segments of defaults. */
const prefixesOf = ({
  sections,
  siteSpaces
}: SourceStructure): ReadonlyArray<{ readonly siteSpace: Item; readonly path: string }> => [
  ...siteSpaces.map((siteSpace) => ({
    siteSpace,
    path: siteSpace.default === true ? "" : textOf(siteSpace.path)
  })),
  ...sections.flatMap((one) =>
    one.siteSpaces.map((siteSpace) => ({
      siteSpace,
      path: [
        one.section.default === true ? "" : textOf(one.section.path),
        siteSpace.default === true ? "" : textOf(siteSpace.path)
      ]
        .filter((part) => part !== "")
        .join("/")
    }))
  )
]

const pathsOf = (pages: unknown): ReadonlyMap<string, string> =>
  new Map(flattenPages(pages).map(({ page }) => [page.id, textOf(page.path)]))

/** Finds the pages whose path differs in the copy. */
const changedPaths = Effect.fnUntraced(function* (context: MigrationContext, structure: SourceStructure) {
  const { source, target, journal } = context
  const redirects: Array<Redirect> = []
  for (const { siteSpace, path } of prefixesOf(structure)) {
    const space = spaceOf(siteSpace)
    const copy = journal.idOf(`space/${space}`)
    const siteSpaceId = journal.idOf(`site-space/${siteSpace.id}`)
    const revision = journal.noteOf(`revision/${space}`)
    if (copy === undefined || siteSpaceId === undefined || revision === undefined) continue
    const read = yield* Effect.result(
      source.get(`/spaces/${space}/revisions/${revision}/pages?computed=false`)
    )
    // The content of the space is reported by its own step.
    if (read._tag === "Failure") continue
    const before = pathsOf(read.success.pages)
    const after = pathsOf((yield* target.get(`/spaces/${copy}/content/pages?computed=false`)).pages)
    for (const [page, old] of before) {
      const pageId = journal.idOf(`page/${space}/${page}`)
      if (pageId === undefined || old === "" || after.get(pageId) === old) continue
      redirects.push({
        source: encodePath(`${path}/${old}`),
        destination: { kind: "site-page", siteSpaceId, pageId }
      })
    }
  }
  return redirects
})

const write = Effect.fnUntraced(function* (
  context: MigrationContext,
  to: string,
  redirects: ReadonlyArray<Redirect>,
  findings: Findings
) {
  for (let at = 0; at < redirects.length; at += maximumRedirects) {
    const { results } = yield* context.target.send({
      method: "PUT",
      path: `${to}/redirects`,
      body: { redirects: redirects.slice(at, at + maximumRedirects) },
      isRepeatable: true
    })
    for (const result of Array.isArray(results) ? (results as ReadonlyArray<Fields>) : []) {
      if (result.status === "error")
        findings.missing(`The redirect from ${textOf(result.source)}: ${textOf(result.error)}`)
    }
  }
})

const copyAll = Effect.fnUntraced(function* (
  context: MigrationContext,
  structure: SourceStructure,
  paths: SitePaths,
  findings: Findings
) {
  const spaces = new Map(prefixesOf(structure).map(({ siteSpace }) => [siteSpace.id, spaceOf(siteSpace)]))
  const copied: Array<Redirect> = []
  const live = yield* context.source.list(`${paths.from}/redirects`)
  // A server that ignores the parameter lists the same redirects again.
  const drafts = (yield* context.source.list(`${paths.from}/redirects?draft=true`)).filter(
    ({ draft }) => draft === true
  )
  for (const redirect of [...live.toReversed(), ...drafts.toReversed()]) {
    const destination = mapDestination(context, (redirect.destination ?? {}) as Fields, spaces)
    if (destination !== undefined)
      copied.push({ source: textOf(redirect.source), destination, ...optionsOf(redirect) })
    else findings.missing(`The redirect from ${textOf(redirect.source)}: its destination was not copied.`)
  }
  const changed = yield* changedPaths(context, structure)
  for (const { source } of changed) {
    findings.changed(`The page at ${source} has another URL, with a redirect from the former one.`)
  }
  yield* write(context, paths.to, [...changed, ...copied], findings)
})

/** Copies the redirects of a site, and adds one from each URL of a page that has another in the copy. */
export const copyRedirects = (
  context: MigrationContext,
  site: Item,
  structure: SourceStructure,
  paths: SitePaths,
  name: string
) =>
  step(context, `site-redirects/${site.id}`, name, (findings) =>
    onceComplete(context, `site-redirects/${site.id}`, findings, copyAll(context, structure, paths, findings))
  )
