/** Fetches archives: of repositories of documentation, and of folders of Markdown. */

import {
  configurationPath,
  convertArchive,
  countPages,
  markdownExtension,
  recognizeSource,
  type Skipped
} from "@lectern/formats"
import type { GitCommit } from "@lectern/model/content"
import { bounds, type ImportSource, isOtherSource } from "@lectern/model/imports"
import { Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "../ImportContext.ts"
import { type OpenArchive, openArchive } from "./openArchive.ts"
import { describeFiles, type RepositoryContent } from "./RepositoryContent.ts"

/** Fetches and opens the archive at a URL. `webPageMessage` is the message of the error for a web page. */
export const fetchArchive = Effect.fnUntraced(function* (
  context: ImportContext,
  requestedUrl: string,
  webPageMessage = "points to a web page; use the URL of the archive itself"
): Effect.fn.Return<OpenArchive, FetchError> {
  const stored = yield* context.run?.loadArchive ?? Effect.succeed(undefined)
  if (stored !== undefined) return yield* openArchive(context, stored)
  const { contentType, body } = yield* context.fetch({
    url: requestedUrl,
    accept: "application/zip, application/gzip;q=0.9, application/octet-stream;q=0.9, */*;q=0.5",
    maximumBytes: context.limits.archiveBytes,
    timeoutMillis: bounds.documentMillis
  })
  if (contentType === "text/html") return yield* urlError(webPageMessage)
  yield* context.run?.saveArchive(body) ?? Effect.void
  return yield* openArchive(context, body)
})

/** Returns the commit that an archive has as its comment. */
export const commitOf = ({ comment }: OpenArchive, url: string): GitCommit | undefined => {
  const oid = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.exec(comment)?.[0]
  return oid === undefined
    ? undefined
    : { oid, message: `Imported from ${url}`, createdByService: false, url }
}

const tooManyPages = (limit: number): string => `points to an archive of more than ${limit} pages`

/**
 * Describes the repository in an archive, whose pages are not parsed yet. Fails with `InvalidInput` if it has no Markdown, or
 * more pages than the limit.
 */
export const openRepository = Effect.fnUntraced(function* (
  { read, limits }: ImportContext,
  archive: Pick<OpenArchive, "files" | "skipped" | "load" | "transferSize">,
  git: GitCommit | undefined
): Effect.fn.Return<RepositoryContent, FetchError> {
  const { load, transferSize } = archive
  const sizes = new Map(archive.files)
  // Without its configuration or its table of contents, files that are not meant to be pages would become public.
  const configSize = sizes.get(configurationPath)
  if (configSize !== undefined && configSize > bounds.configBytes) {
    return yield* urlError(
      `points to an archive whose ${configurationPath} is larger than ${bounds.configBytes >> 10} KiB`
    )
  }
  const config =
    configSize === undefined ? undefined : new TextDecoder().decode(yield* load(configurationPath))
  yield* Effect.yieldNow
  const { layout, files } = describeFiles(config, archive.files)
  yield* Effect.yieldNow
  const unreadable = archive.skipped.find(
    ({ path }) => path.toLowerCase() === layout.summaryPath.toLowerCase() || path === configurationPath
  )
  if (unreadable !== undefined) {
    return yield* urlError(
      `points to an archive whose ${unreadable.path} cannot be read: ${unreadable.reason}`
    )
  }
  const pages = [...files.values()].filter(({ kind }) => kind === "page").length
  if (pages === 0) return yield* urlError("points to an archive without any markdown")
  if (pages > limits.archivePages) {
    return yield* urlError(tooManyPages(limits.archivePages))
  }
  const summarySize = files.get(layout.summaryPath)?.size
  if (summarySize !== undefined && summarySize > bounds.pageBytes) {
    return yield* urlError(
      `points to an archive whose table of contents is larger than ${bounds.pageBytes >> 20} MiB`
    )
  }
  const summary =
    summarySize === undefined
      ? undefined
      : yield* mapNotReadable(read("summary", { bytes: yield* load(layout.summaryPath) }))
  const skipped = archive.skipped.map(
    ({ path, reason }): Skipped => ({
      kind: markdownExtension.test(path) ? "page" : "file",
      resource: path,
      reason
    })
  )
  return { layout, files, summary, skipped, transferSize, load, git }
})

/**
 * Opens the files of an import: a repository of GitBook, or the files of another tool, which are converted to one. `source` states the
 * tool; by default, it is recognized by the files.
 */
export const openSource = Effect.fnUntraced(function* (
  context: ImportContext,
  archive: Parameters<typeof openRepository>[1],
  git: GitCommit | undefined,
  source: ImportSource
): Effect.fn.Return<RepositoryContent, FetchError> {
  const paths = archive.files.map(([path]) => path)
  const tool = isOtherSource(source) ? source : recognizeSource(paths)
  if (tool === undefined) return yield* openRepository(context, archive, git)
  const { archivePages } = context.limits
  if (countPages(tool, paths) > archivePages) return yield* urlError(tooManyPages(archivePages))
  const converted = yield* convertArchive(archive, tool, {
    read: context.read,
    mark: context.mark,
    onUnreadable: ({ message }) => urlError(message)
  })
  const { transferSize } = archive
  return {
    ...(yield* openRepository(context, { ...converted, transferSize }, git)),
    problems: converted.problems
  }
})

/** Fetches the files of an import in the archive at a URL. */
export const fetchRepository = Effect.fnUntraced(function* (
  context: ImportContext,
  requestedUrl: string,
  source: ImportSource
): Effect.fn.Return<RepositoryContent, FetchError> {
  const archive = yield* fetchArchive(context, requestedUrl)
  return yield* openSource(context, archive, commitOf(archive, requestedUrl), source)
})
