/** `lectern export --html` and `--epub`: a published site as static files, or as a book. */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { makeDispatcher, makeWebHandler } from "@lectern/http/server"
import { Console, Effect } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"
import { importOptional } from "./importOptional.ts"
import { printResult } from "./output.ts"
import { type AddressFlags, readPublicUrl } from "./publicUrl.ts"
import { readEnvironment, type WorkspaceFlags } from "./settings.ts"

/** The number of URLs without a page that are printed. */
const maximumMissing = 20

/** Writes the site at a URL to a folder or a file, as a visitor without credentials sees it. */
export const exportSite = Effect.fnUntraced(function* ({
  site,
  to,
  json,
  format,
  ...flags
}: WorkspaceFlags &
  AddressFlags & {
    readonly site: string
    readonly to: string
    readonly json: boolean
    readonly format: "html" | "epub"
  }) {
  const reader = yield* importOptional("@lectern/reader", () => import("@lectern/reader"))
  if (reader === undefined) {
    return yield* new ConfigurationError({
      message: "The export of sites requires the reader. Run `npm install @lectern/reader`."
    })
  }
  const publicUrl = yield* readPublicUrl(flags)
  const { workspace, logging } = yield* readEnvironment(flags, { publicUrl })
  const root = site.endsWith("/") ? site : `${site}/`
  const invalid = (message: string) => new ConfigurationError({ message })
  if (!URL.canParse(root)) return yield* invalid(`--site must be the URL of a published site, not ${site}.`)
  const result = yield* Effect.gen(function* () {
    const dispatch = yield* makeDispatcher({ reader: reader.makeReader })
    const context = yield* Effect.context<never>()
    const handle = makeWebHandler(dispatch, Effect.runPromiseWith(context), {})
    const get = async (url: string) => {
      const response = await handle(new Request(url))
      return {
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        location: response.headers.get("location") ?? undefined,
        body: new Uint8Array(await response.arrayBuffer())
      }
    }
    const first = yield* Effect.promise(() => get(root))
    const isElsewhere = first.location !== undefined && !new URL(first.location, root).href.startsWith(root)
    if (isElsewhere || (first.status !== 200 && first.location === undefined)) {
      return yield* invalid(
        `Visitors without credentials cannot read a site at ${root}. The site does not exist, is not published, or requires visitor authentication: such a site cannot be exported as files, which anyone could read.`
      )
    }
    const crawled = { root, workspace: publicUrl.replace(/\/+$/, "") }
    if (format === "epub") {
      const { pages, bytes } = yield* Effect.promise(() => reader.exportEpub(crawled, get))
      yield* Effect.promise(() => writeFile(to, bytes))
      return { pages, files: 1, missing: [] }
    }
    return yield* Effect.promise(() =>
      reader.exportHtml(crawled, get, async (path, content) => {
        const target = join(to, path)
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, content)
      })
    )
  }).pipe(Effect.provide(workspace), Effect.provide(logging))
  yield* printResult(
    json,
    { path: to, ...result },
    format === "epub"
      ? `Exported ${result.pages} pages to ${to}.`
      : `Exported ${result.pages} pages in ${result.files} files to ${to}.`
  )
  if (json) return
  for (const { url, status } of result.missing.slice(0, maximumMissing)) {
    yield* Console.log(`  ${status}  ${url}`)
  }
})
