/** Reads all files of an export into memory, for a commit. */

import type { Tree } from "@lectern/content"
import type { Unpacked } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import { Effect, Stream } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"
import { exportRepository } from "../exports/exportRepository.ts"
import type { ExportedFile, ExportServices } from "../exports/RepositoryExport.ts"
import { findPlaced } from "./findPlaced.ts"
import { GitFailed } from "./gitSyncRows.ts"

const tooLarge = (limit: number) =>
  new GitFailed({
    message: `The content has files of more than ${Math.floor(limit / 1024 / 1024)} MiB in total. Remove large files, or have the operator of the server raise the limit with \`--import-max-archive-size\`, of which it is twice the size.`
  })

/** Reads a file of an export. Fails with `GitFailed` if its bytes are missing, so that no other bytes reach the repository. */
export const readExportedFile = Effect.fnUntraced(function* (
  store: ContentStore["Service"],
  { path, content }: ExportedFile
): Effect.fn.Return<Unpacked, GitFailed | StorageUnavailable> {
  if (content instanceof Uint8Array) return { path, bytes: content }
  const bytes = yield* store.files.readWhole(content.hash)
  if (bytes !== undefined) return { path, bytes }
  return yield* new GitFailed({
    message: `The bytes of the file "${path}" are missing in the store, so that the content cannot be exported to Git. Upload the file again, or restore it from a backup.`
  })
})

/** Returns the files of a tree, and the paths of the files that only `base`, the tree of the commit before, has. */
export const exportFiles = Effect.fnUntraced(function* (
  services: ExportServices,
  tree: Tree,
  base: Tree | undefined,
  limit: number
): Effect.fn.Return<
  { readonly files: ReadonlyArray<Unpacked>; readonly removed: ReadonlyArray<string> },
  GitFailed | StorageUnavailable
> {
  const exported = yield* exportRepository(services, tree)
  if (exported.storedBytes > limit) return yield* tooLarge(limit)
  const files: Array<Unpacked> = []
  let size = 0
  yield* Stream.runForEach(exported.files, (file) =>
    Effect.flatMap(readExportedFile(services.store, file), (unpacked) => {
      size += unpacked.bytes.length
      files.push(unpacked)
      return size > limit ? Effect.fail(tooLarge(limit)) : Effect.void
    })
  )
  const paths = new Set(files.map(({ path }) => path))
  const before = base === undefined ? undefined : yield* findPlaced(services.store, base)
  return { files, removed: [...(before?.paths ?? [])].filter((path) => !paths.has(path)) }
})
