/** Fetches the files of a Git repository as the source of an import. */

import {
  decodeSnapshot,
  encodeSnapshot,
  fetchSnapshot,
  type GitSnapshot,
  openRemote,
  parseRemote,
  resolveReference,
  unpackedLimit
} from "@lectern/formats"
import type { ImportSource } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, optional, urlError } from "../ImportContext.ts"
import { openRepository, openSource } from "../repository/archive.ts"
import type { RepositoryContent } from "../repository/RepositoryContent.ts"

/**
 * Opens the files of a commit as a repository. `open` opens the files: by default, as a repository of GitBook,
 * because a synchronization writes them again.
 */
export const openGitFiles = Effect.fnUntraced(function* (
  context: ImportContext,
  { commit, reference, pack, isPartial, history }: GitSnapshot,
  { folder, url }: { readonly folder: string; readonly url: string },
  open: typeof openRepository = openRepository
): Effect.fn.Return<RepositoryContent, FetchError> {
  const { processPack } = context
  if (processPack === undefined)
    return yield* urlError("points to a Git repository, which this server cannot read")
  const omitted = isPartial ? "large" : "none"
  const unpackedBytes = unpackedLimit(context.limits)
  const fetched = yield* mapNotReadable(
    processPack("gitFiles", { bytes: pack, commit, folder, omitted, unpackedBytes })
  )
  const dates =
    history.length === 0
      ? undefined
      : yield* optional(mapNotReadable(processPack("gitDates", { bytes: history, commit, folder })))
  const byPath = new Map(fetched.files.map(({ path, bytes }) => [path, bytes]))
  const repository = yield* open(
    context,
    {
      files: [...byPath].map(([path, { length }]) => [path, length] as const),
      skipped: fetched.skipped,
      transferSize: pack.length,
      load: (path) => {
        const bytes = byPath.get(path)
        return bytes === undefined
          ? Effect.fail(urlError("points to a Git repository whose objects cannot be read"))
          : Effect.succeed(bytes)
      }
    },
    {
      oid: fetched.commit,
      message: fetched.message.slice(0, 10_000),
      createdByService: false,
      ref: reference.slice(0, 1000),
      ...(url.length <= 2048 ? { url } : {})
    }
  )
  return dates === undefined ? repository : { ...repository, changedAt: (path) => dates.get(path) }
})

/** Fetches the repository at a URL, whose fragment is a branch or a tag; the default branch without one. */
export const fetchGitRepository = Effect.fnUntraced(function* (
  context: ImportContext,
  requestedUrl: string,
  source: ImportSource
): Effect.fn.Return<RepositoryContent, FetchError> {
  const open: typeof openRepository = (...files) => openSource(...files, source)
  const remote = parseRemote(requestedUrl)
  if (remote.credentials !== undefined) {
    return yield* urlError(
      "must not contain a user name or a password, because imports store it; use the Git synchronization of the space"
    )
  }
  const name = unescaped(new URL(requestedUrl).hash.slice(1))
  const stored = yield* context.run?.loadArchive ?? Effect.succeed(undefined)
  const place = { folder: "", url: remote.url }
  if (stored !== undefined) return yield* openGitFiles(context, decodeSnapshot(stored), place, open)
  const opened = yield* openRemote(context.fetch, remote, "git-upload-pack")
  const found = resolveReference(opened.advertisement, name)
  if (found === undefined) {
    return yield* urlError(
      name === ""
        ? "points to an empty Git repository"
        : `points to a Git repository without the branch or tag ${name}`
    )
  }
  const request = { commit: found.oid, reference: found.reference, folder: "" }
  const { fetch, limits, processPack } = context
  const snapshot = yield* fetchSnapshot(fetch, opened, request, limits, processPack)
  yield* context.run?.saveArchive(encodeSnapshot(snapshot)) ?? Effect.void
  return yield* openGitFiles(context, snapshot, place, open)
})
