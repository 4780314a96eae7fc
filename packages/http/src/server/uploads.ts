/**
 * Reads `multipart/form-data` requests, which add files of any size. The bytes are stored while they arrive, after the caller
 * was authorized. The rest of the request is then the batch that adds them, so that it is decoded and executed like any other.
 */
import { AcceptsFiles } from "@lectern/client"
import {
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

const readUpload = Effect.fnUntraced(function* (
  { header, streamBody }: ApiRequest,
  limit: number,
  store: StoreUpload
): Effect.fn.Return<Upload, UploadError | StorageUnavailable> {
  const files: Array<Upload["files"][number]> = []
  let message: string | undefined
  const headers = { "content-type": header("content-type") ?? "" }
  yield* Stream.pipeThroughChannel(streamBody(limit), Multipart.makeChannel(headers)).pipe(
    Stream.mapError(toUploadError),
    Stream.provideContext(parserLimits),
    Stream.runForEach((part) => {
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
      return Effect.void
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
      stored: { hash: "" as never, size: 0, chunks: [] },
      dimensions: undefined
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

/** Authorizes the caller of an upload and stores its files. Fails with the errors of the path and of authorization first. */
export const prepareUpload = Effect.fnUntraced(function* (
  request: ApiRequest,
  { decode, operation }: Route,
  params: unknown,
  query: unknown,
  limit: number,
  store: StoreUpload
): Effect.fn.Return<PreparedUpload, Failure | InvalidRequest, CurrentUser> {
  yield* operation.authorize(yield* decode(toBatchRequest(request, emptyUpload), params, query))
  const upload = yield* readUpload(request, limit, store)
  return { request: toBatchRequest(request, upload), complete: (decoded) => withStoredFiles(decoded, upload) }
})
