/** Fetches the files of a batch that have a URL, before its transaction. */

import type { Fetch, Ids, StorageUnavailable } from "@lectern/kernel"
import type { ContentChange, EditContent, NewFile } from "@lectern/model/content"
import type { UpstreamFailed, UpstreamTimeout } from "@lectern/model/errors"
import { Effect, type Scope, Semaphore, Stream } from "effect"
import type { ContentStore } from "../ContentStore.ts"
import { StoredFile, storeUpload, type UploadedBytes } from "./StoredFile.ts"

/** The maximum size of a file that is fetched from a URL, in bytes: 20 MiB. */
const maximumFetchedBytes = 20 * 1024 * 1024

/** The maximum size of a file that is stored while it is fetched, in bytes: 200 MiB. */
const maximumStreamedBytes = 200 * 1024 * 1024

/** The timeout of fetching a file, in milliseconds. */
const fetchTimeoutMs = 20_000

/** The maximum number of files that are fetched at the same time. Each is in memory, unless the fetcher streams. */
const maximumConcurrentFetches = 4

type FetchError = UpstreamFailed | UpstreamTimeout | StorageUnavailable

/** A file to fetch. */
type FetchedFile = NewFile & { readonly url: string }

const isFetched = (file: NewFile): file is FetchedFile => file.url !== undefined && file.base64 === undefined

/**
 * Creates the function that replaces the files of a batch that have a URL by stored files. It returns `undefined` for a
 * batch without such files.
 */
export const makeFetchFiles = (fetch: Fetch, store: ContentStore["Service"], ids: Ids["Service"]) => {
  const semaphore = Semaphore.makeUnsafe(maximumConcurrentFetches)

  const open = (url: string) => {
    const timeoutMillis = fetchTimeoutMs
    return fetch.stream === undefined
      ? Effect.map(fetch({ url, maximumBytes: maximumFetchedBytes, timeoutMillis }), (fetched) => ({
          ...fetched,
          body: Stream.make(fetched.body)
        }))
      : fetch.stream({ url, maximumBytes: maximumStreamedBytes, timeoutMillis })
  }

  const fetchBytes = (file: FetchedFile): Effect.Effect<UploadedBytes, FetchError> =>
    semaphore.withPermit(
      Effect.scoped(
        Effect.gen(function* () {
          const { body, contentType } = yield* open(file.url)
          const declared = file.contentType ?? contentType
          return yield* storeUpload(store, body, declared, { id: yield* ids.next })
        })
      )
    )

  /** Stores a file that has a URL. The scope deletes its bytes unless an edit has added them. */
  const fetchFile = (file: NewFile): Effect.Effect<NewFile, FetchError, Scope.Scope> =>
    isFetched(file)
      ? Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(fetchBytes(file)), (uploaded) =>
            Effect.as(
              Effect.addFinalizer(() => store.files.discard(uploaded.holder, uploaded.stored.chunks)),
              new StoredFile(file, uploaded)
            )
          )
        )
      : Effect.succeed(file)

  return (batch: EditContent): Effect.Effect<EditContent, FetchError, Scope.Scope> | undefined => {
    const hasUrls = batch.changes.some(
      (change) => change.operation === "insert_files" && change.files.some(isFetched)
    )
    if (!hasUrls) return undefined
    const changes = Effect.forEach(
      batch.changes,
      (change): Effect.Effect<ContentChange, FetchError, Scope.Scope> =>
        change.operation === "insert_files"
          ? Effect.map(Effect.forEach(change.files, fetchFile), (files) => ({ ...change, files }))
          : Effect.succeed(change)
    )
    return Effect.map(changes, (fetched) => ({ ...batch, changes: fetched }))
  }
}
