/** Fetches the files of a Git repository as the source of an import. */

import { type Advertisement, fetchCommit, openRemote, parseRemote } from "@lectern/formats"
import type { ImportSource } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "../ImportContext.ts"
import { openRepository, openSource } from "../repository/archive.ts"
import type { RepositoryContent } from "../repository/RepositoryContent.ts"

/** Resolves the name of a branch or a tag, or its full reference. Without a name, the default branch. */
export const resolveReference = (
  { references, head }: Pick<Advertisement, "references" | "head">,
  name: string
): { readonly reference: string; readonly oid: string } | undefined => {
  const candidates =
    name === "" ? [head ?? "HEAD", "HEAD"] : [name, `refs/heads/${name}`, `refs/tags/${name}`]
  for (const reference of candidates) {
    const oid = references.get(reference)
    if (oid !== undefined) return { reference, oid }
  }
  return undefined
}

/**
 * Opens the files of a commit, in a packfile, as a repository. `open` opens the files: by default, as a repository of GitBook,
 * because a synchronization writes them again.
 */
export const openGitFiles = Effect.fnUntraced(function* (
  context: ImportContext,
  pack: Uint8Array,
  { commit, folder, reference, url }: { commit: string; folder: string; reference: string; url: string },
  open: typeof openRepository = openRepository
): Effect.fn.Return<RepositoryContent, FetchError> {
  const { processPack } = context
  if (processPack === undefined)
    return yield* urlError("points to a Git repository, which this server cannot read")
  const fetched = yield* mapNotReadable(processPack("gitFiles", { bytes: pack, commit, folder }))
  const byPath = new Map(fetched.files.map(({ path, bytes }) => [path, bytes]))
  return yield* open(
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
})

/** Encodes the name of a commit and its packfile, which a resumed run does not fetch again. */
const encodeFetched = (commit: string, reference: string, pack: Uint8Array): Uint8Array => {
  const header = new TextEncoder().encode(`${commit} ${reference}\n`)
  const whole = new Uint8Array(header.length + pack.length)
  whole.set(header)
  whole.set(pack, header.length)
  return whole
}

const decodeFetched = (bytes: Uint8Array) => {
  const end = bytes.indexOf(0x0a)
  const [commit = "", reference = ""] = new TextDecoder().decode(bytes.subarray(0, end)).split(" ")
  return { commit, reference, pack: bytes.subarray(end + 1) }
}

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
  if (stored !== undefined) {
    const { commit, reference, pack } = decodeFetched(stored)
    const place = { commit, folder: "", reference, url: remote.url }
    return yield* openGitFiles(context, pack, place, open)
  }
  const opened = yield* openRemote(context.fetch, remote, "git-upload-pack")
  const found = resolveReference(opened.advertisement, name)
  if (found === undefined) {
    return yield* urlError(
      name === ""
        ? "points to an empty Git repository"
        : `points to a Git repository without the branch or tag ${name}`
    )
  }
  const pack = yield* fetchCommit(context.fetch, opened, found.oid, context.limits)
  yield* context.run?.saveArchive(encodeFetched(found.oid, found.reference, pack)) ?? Effect.void
  const place = { commit: found.oid, folder: "", reference: found.reference, url: remote.url }
  return yield* openGitFiles(context, pack, place, open)
})
