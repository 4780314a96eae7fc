/** The plan of a migration: what would be copied. Reads the source, and writes nothing. */
import { Effect } from "effect"
import type { ApiClient, RequestFailed } from "./ApiClient.ts"
import { textOf } from "./Context.ts"
import { organizationPath } from "./copySpaces.ts"
import { readContent } from "./SourceContent.ts"

/** The content of a space. */
export interface PlannedSpace {
  readonly id: string
  readonly title: string
  readonly pages: number
  readonly files: number
  readonly reusableContents: number
  readonly changeRequests: number
}

/** The resources that a migration would copy. */
export interface Plan {
  readonly spaces: ReadonlyArray<PlannedSpace>
  /** The number of items of each list of the organization. */
  readonly counts: Readonly<Record<string, number>>
  /** The resources that the token cannot read. */
  readonly unreadable: ReadonlyArray<string>
}

const lists: Readonly<Record<string, string>> = {
  collections: "collections?nested=true",
  sites: "sites",
  members: "members",
  teams: "teams",
  "OpenAPI specs": "openapi",
  translations: "translations",
  "terms of the glossary": "translations-glossary"
}

/** Reads the plan. What cannot be read is named, and does not end it. */
export const readPlan = Effect.fnUntraced(function* (
  source: ApiClient,
  organization: string
): Effect.fn.Return<Plan, RequestFailed> {
  const path = organizationPath(organization)
  const unreadable: Array<string> = []
  const attempt = Effect.fnUntraced(function* <A>(what: string, read: Effect.Effect<A, RequestFailed>) {
    const result = yield* Effect.result(read)
    if (result._tag === "Success") return result.success
    unreadable.push(`${what}: ${result.failure.message}`)
    return undefined
  })
  const all = (yield* source.list(`${path}/spaces`)).filter(({ deletedAt }) => deletedAt === undefined)
  const spaces: Array<PlannedSpace> = []
  for (const space of all) {
    const title = textOf(space.title)
    const content = yield* attempt(
      title,
      readContent(source, `/spaces/${space.id}/revisions/${textOf(space.revision)}`)
    )
    if (content === undefined) continue
    const { pages, files, reusableContents } = content
    const changeRequests = Number(space.changeRequestsOpen ?? 0) + Number(space.changeRequestsDraft ?? 0)
    spaces.push({
      id: space.id,
      title,
      pages: pages.length,
      files: files.length,
      reusableContents: reusableContents.length,
      changeRequests
    })
  }
  const counts: Record<string, number> = {}
  for (const [what, list] of Object.entries(lists)) {
    const items = yield* attempt(what, source.list(`${path}/${list}`))
    if (items !== undefined) counts[what] = items.length
  }
  return { spaces, counts, unreadable }
})

/** Formats the plan as text. */
export const formatPlan = ({ spaces, counts, unreadable }: Plan): string =>
  [
    ...spaces.map(
      ({ title, pages, files, reusableContents, changeRequests }) =>
        `space ${title}: ${pages} pages, ${files} files, ${reusableContents} reusable contents, ${changeRequests} change requests`
    ),
    ...Object.entries(counts).map(([what, count]) => `${what}: ${count}`),
    ...unreadable.map((problem) => `cannot be read: ${problem}`),
    "Nothing was copied."
  ].join("\n")
