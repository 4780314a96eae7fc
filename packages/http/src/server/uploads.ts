/**
 * Reads `multipart/form-data` requests, which add files of any size. The bytes are stored while they arrive, after the caller
 * was authorized. The rest of the request is then the batch that adds them, so that it is decoded and executed like any other.
 */
import { AcceptsFiles } from "@lectern/client"
import {
  BlobHash,
  type CurrentUser,
  type EditContent,
  InvalidInput,
  type StorageUnavailable,
  StoredFile,
  toFileName,
  type UploadedBytes
} from "@lectern/core"
import { Context, Effect, Stream } from "effect"
import { Multipart } from "effect/http"
import type { DecodedRequest } from "../handlers/shared/Handlers.ts"
import type { InvalidRequest } from "./decode.ts"
import { BodyTooLarge, type Failure } from "./messages/failures.ts"
import type { ApiRequest } from "./messages/Message.ts"
import type { Route } from "./routeTable.ts"

/** The default of `uploadLimit`, in bytes: 1 GiB. */
export const defaultUploadLimit: number = 1024 * 1024 * 1024

/** The maximum number of files of a request, as of a change that adds files. */
const maximumFiles = 20

/** The limits of the parser: the files and a message of at most 1,000 characters. */
const parserLimits = Multipart.limitsServices({ maxParts: maximumFiles + 1, maxFieldSize: 8 * 1024 })

const multipartType = /^multipart\/form-data\s*;/i

/** Whether a request uploads files to an operation that accepts them. */
export const isUpload = ({ header }: ApiRequest, { operation }: Route): boolean =>
  Context.get(operation.endpoint.annotations, AcceptsFiles) &&
  multipartType.test(header("content-type") ?? "")

const invalidFiles = InvalidInput.at("files", `must be 1 to ${maximumFiles} files`)

const malformedBody = new InvalidInput({
  reason: "InvalidFields",
  message: "The request body must be multipart/form-data with the boundary that its Content-Type declares.",
  details: []
})

/** Stores the bytes of a file as they arrive: `storeUpload` of `Content`. */
export type StoreUpload = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  declaredType: string | undefined
) => Effect.Effect<UploadedBytes, E | StorageUnavailable>

/** How the files of an upload are stored and discarded: `storeUpload` and `discardUpload` of `Content`. */
export interface UploadStore {
  readonly store: StoreUpload
  /** Deletes the bytes of a file unless an edit has added them. */
  readonly discard: (uploaded: UploadedBytes) => Effect.Effect<void>
  /** The maximum size of the body, in bytes. */
  readonly limit: number
}

type UploadError = BodyTooLarge | InvalidInput

/** Converts an error of the parser. It wraps the errors of the body in its own. */
const toUploadError = (error: unknown): UploadError => {
  if (error instanceof BodyTooLarge || error instanceof InvalidInput) return error
  if (!Multipart.isMultipartError(error)) return malformedBody
  switch (error.reason._tag) {
    case "TooManyParts":
      return invalidFiles
    case "FieldTooLarge":
      return InvalidInput.at("message", "must be at most 1000 characters")
    case "InternalError":
      return toUploadError(error.reason.cause)
    default:
      return malformedBody
  }
}

/** The parts of a request, whose files are stored. */
interface Upload {
  readonly files: ReadonlyArray<UploadedBytes & { readonly name: string }>
  readonly message: string | undefined
}

/** The handlers of the parts of a body. */
interface PartHandlers<E> {
  /** Stores a file. */
  readonly store: StoreUpload
  /** Checks the message before the files that follow it are stored. */
  readonly validate: (message: string) => Effect.Effect<unknown, E>
}

const readUpload = Effect.fnUntraced(function* <E>(
  { header, streamBody }: ApiRequest,
  limit: number,
  { store, validate }: PartHandlers<E>
): Effect.fn.Return<Upload, E | UploadError | StorageUnavailable> {
  const files: Array<Upload["files"][number]> = []
  let message: string | undefined
  const headers = { "content-type": header("content-type") ?? "" }
  yield* Stream.pipeThroughChannel(streamBody(limit), Multipart.makeChannel(headers)).pipe(
    Stream.mapError(toUploadError),
    Stream.provideContext(parserLimits),
    Stream.runForEach((part): Effect.Effect<unknown, E | UploadError | StorageUnavailable> => {
      if (part._tag === "File") {
        if (files.length === maximumFiles) return Effect.fail(invalidFiles)
        const bytes = Stream.mapError(part.content, toUploadError)
        return Effect.map(store(bytes, part.contentType), (uploaded) => {
          files.push({ ...uploaded, name: toFileName(part.name) })
        })
      }
      if (part.key !== "message")
        return Effect.fail(InvalidInput.at(part.key, "is not a field; send files or `message`"))
      message = part.value
      return validate(message)
    })
  )
  return files.length === 0 ? yield* invalidFiles : { files, message }
})

/** Returns the request of the batch that adds the files. It contains their hashes, for the digest of idempotency keys. */
const toBatchRequest = (request: ApiRequest, { files, message }: Upload): ApiRequest => {
  const batch = {
    changes: [
      {
        operation: "insert_files",
        files: files.map(({ name, contentType, stored: { hash } }) => ({
          name,
          contentType,
          base64: "",
          hash
        }))
      }
    ],
    ...(message === undefined ? {} : { message })
  }
  const { header } = request
  const headerOf = (name: string) => (name === "content-type" ? "application/json" : header(name))
  const body = Effect.succeed(new TextEncoder().encode(JSON.stringify(batch)))
  return { ...request, header: headerOf, body }
}

/** Replaces the files of the decoded batch by the stored ones. */
const withStoredFiles = (decoded: DecodedRequest, { files }: Upload): DecodedRequest => {
  const { changes, ...batch } = decoded.payload as EditContent
  const replaced = changes.map((change) =>
    change.operation === "insert_files"
      ? { ...change, files: change.files.map((file, index) => new StoredFile(file, files[index]!)) }
      : change
  )
  return { ...decoded, payload: { ...batch, changes: replaced } }
}

/** A batch of one empty file, to decode and authorize the path of a request before its body. */
const emptyUpload: Upload = {
  files: [
    {
      name: "file",
      contentType: "text/plain",
      stored: { hash: BlobHash.make(""), size: 0, chunks: [] },
      dimensions: undefined,
      holder: { id: "" }
    }
  ],
  message: undefined
}

/** An upload that is stored. */
export interface PreparedUpload {
  /** The request of the batch that adds the files. */
  readonly request: ApiRequest
  /** Replaces the files of the decoded batch by the stored ones. */
  readonly complete: (decoded: DecodedRequest) => DecodedRequest
}

/** A request that uploads files. */
interface UploadRequest {
  readonly request: ApiRequest
  readonly route: Route
  readonly params: unknown
  readonly query: unknown
  /** The error of its headers, which is reported after the errors of authorization. */
  readonly headerError: InvalidInput | undefined
}

/** Authorizes the caller of an upload and stores its files. Fails with the errors of everything but the files first. */
const prepareUpload = Effect.fnUntraced(function* (
  { request, route: { decode, operation }, params, query, headerError }: UploadRequest,
  limit: number,
  store: StoreUpload
): Effect.fn.Return<PreparedUpload, Failure | InvalidRequest, CurrentUser> {
  yield* operation.authorize(yield* decode(toBatchRequest(request, emptyUpload), params, query))
  if (headerError !== undefined) return yield* headerError
  const validate = (message: string) =>
    decode(toBatchRequest(request, { ...emptyUpload, message }), params, query)
  const upload = yield* readUpload(request, limit, { store, validate })
  return { request: toBatchRequest(request, upload), complete: (decoded) => withStoredFiles(decoded, upload) }
})

/**
 * Executes an upload: authorizes its caller, stores its files, and runs `execute` with the request that adds them. Then deletes
 * the bytes that it has not added, because it has failed or was replayed.
 */
export const executeUpload = <A>(
  upload: UploadRequest,
  { store, discard, limit }: UploadStore,
  execute: (prepared: PreparedUpload) => Effect.Effect<A, Failure, CurrentUser>
): Effect.Effect<A, Failure, CurrentUser> =>
  Effect.suspend(() => {
    const stored: Array<UploadedBytes> = []
    const storeAndRemember: StoreUpload = (bytes, type) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.tap(restore(store(bytes, type)), (uploaded) => Effect.sync(() => void stored.push(uploaded)))
      )
    return prepareUpload(upload, limit, storeAndRemember).pipe(
      Effect.catchTag("InvalidRequest", ({ error }) => Effect.fail(error)),
      Effect.flatMap(execute),
      Effect.ensuring(Effect.suspend(() => Effect.forEach(stored, discard, { discard: true })))
    )
  })
