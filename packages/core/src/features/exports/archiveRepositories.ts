/** Writes trees as the folders of one archive. */

import type { Tree } from "@lectern/content"
import { type ArchivedFile, type ReadImport, writeZip, zipLimits } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import { Conflict } from "@lectern/model/errors"
import { Effect, Stream } from "effect"
import { exportRepository } from "./exportRepository.ts"
import type { ExportedFile, ExportServices } from "./RepositoryExport.ts"

/** A tree and its folder in the archive: empty, or a path that ends with a slash. */
export interface ArchivedTree {
  readonly folder: string
  readonly tree: Tree
}

/** Returns the reader, which parses the originals of imported pages. Fails with `Conflict` if it is missing. */
export const requireConverter = (read: ReadImport | undefined): Effect.Effect<ReadImport, Conflict> =>
  read === undefined
    ? Effect.fail(
        new Conflict({
          reason: "ConverterMissing",
          message: "This server cannot export content: the package @lectern/converters is not installed."
        })
      )
    : Effect.succeed(read)

/**
 * Returns the bytes of an archive of trees, which are produced while they are read, one file at a time. `files` are further
 * files of the archive. Fails with `Conflict` if the content has more files than an archive can have.
 */
export const archiveRepositories = Effect.fnUntraced(function* (
  services: ExportServices,
  trees: ReadonlyArray<ArchivedTree>,
  files: ReadonlyArray<{ readonly path: string; readonly content: Uint8Array }> = []
): Effect.fn.Return<Stream.Stream<Uint8Array, StorageUnavailable>, Conflict | StorageUnavailable> {
  let count = files.length
  let bytes = 0
  for (const { tree } of trees) {
    const exported = yield* exportRepository(services, tree)
    count += exported.count
    bytes += exported.storedBytes
    if (count > zipLimits.files || bytes > zipLimits.bytes) {
      return yield* new Conflict({
        reason: "LimitReached",
        message: `The content has more than ${zipLimits.files} files, or files of more than ${
          zipLimits.bytes + 1
        } bytes in total, which a ZIP archive cannot have.`
      })
    }
  }

  const toArchived =
    (folder: string) =>
    ({ path, content }: ExportedFile): ArchivedFile<StorageUnavailable> => ({
      path: folder + path,
      content:
        content instanceof Uint8Array
          ? content
          : Stream.unwrap(
              Effect.map(services.store.files.open(content.hash), (file) =>
                file === undefined ? Stream.empty : file.read(0, file.size)
              )
            )
    })

  // Each tree is prepared again when its folder is written, so that the memory does not grow with their number.
  const folders = Stream.flatMap(Stream.fromIterable(trees), ({ folder, tree }) =>
    Stream.unwrap(
      Effect.map(exportRepository(services, tree), (exported) =>
        Stream.map(exported.files, toArchived(folder))
      )
    )
  )
  const others: Stream.Stream<ArchivedFile<StorageUnavailable>> = Stream.fromIterable(files)
  return writeZip(Stream.concat(others, folders))
})
