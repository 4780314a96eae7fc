/** Applies the changes of a batch to files and reusable contents. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { imageSize } from "image-size"
import { InvalidInput } from "../../../kernel/errors.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import { type FileRecord, keys, type ReusableContentRecord } from "../../../model/content/ContentRecord.ts"
import { type ContentChange, maximumFileBytes, type NewFile } from "../../../model/content/EditContent.ts"
import type { Dimensions, FileId } from "../../../model/content/File.ts"
import { type EditContext, putBody, readBody, readNewBody, type Step } from "./EditContext.ts"

type Change<O extends ContentChange["operation"]> = Extract<ContentChange, { operation: O }>
type Failure = InvalidInput | StorageUnavailable

/** Returns the dimensions of an image in pixels; undefined if the bytes are not an image. */
export const dimensionsOf = (bytes: Uint8Array): Dimensions | undefined => {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return undefined
  }
}

/** Decodes the bytes of a file in a batch. */
const bytesOf = (file: NewFile, path: string): Result.Result<Uint8Array, InvalidInput> => {
  const invalid = (field: string, message: string) =>
    Result.fail(InvalidInput.at(`${path}.${field}`, message))
  if (file.base64 === undefined) {
    return file.url === undefined
      ? invalid("base64", "is required")
      : invalid("url", "is not supported by this server; send the bytes as `base64`")
  }
  if (file.url !== undefined) return invalid("url", "cannot be combined with `base64`")
  if (file.contentType === undefined) return invalid("contentType", "is required with `base64`")
  const bytes = Base64.decode(file.base64)
  if (Result.isFailure(bytes)) return invalid("base64", "must be valid base64")
  return bytes.success.length > maximumFileBytes
    ? invalid("base64", "must be at most 1 MiB after decoding")
    : Result.succeed(bytes.success)
}

/** Adds files. Fails with `InvalidInput` for all files that are invalid. */
export const insertFiles = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path, ids }: Step<Change<"insert_files">>
): Effect.fn.Return<void, Failure> {
  const all = change.files.map((file, index) => bytesOf(file, `${path}.files.${index}`))
  const invalid = all.flatMap((bytes) => (Result.isFailure(bytes) ? bytes.failure.details : []))
  if (invalid.length > 0) return yield* InvalidInput.of(invalid)
  const bytes = all.map(Result.getOrThrow)
  const hashes = yield* context.content.blobs.put(bytes)
  for (const [index, file] of change.files.entries()) {
    const dimensions = dimensionsOf(bytes[index]!)
    const record: FileRecord = {
      name: file.name,
      contentType: file.contentType!,
      size: bytes[index]!.length,
      hash: hashes[index]!,
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(file.git === undefined ? {} : { git: file.git })
    }
    context.draft.set(keys.file(ids[index]!), record as never)
    context.files.push(ids[index] as FileId)
  }
})

/** Deletes files. Fails with `InvalidInput` if one does not exist. */
export const deleteFiles = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"delete_files">>
): Effect.fn.Return<void, Failure> {
  for (const [index, id] of change.files.entries()) {
    if ((yield* context.draft.file(id)) === undefined) {
      return yield* InvalidInput.at(`${path}.files.${index}`, "is not the id of a file of this content")
    }
    context.draft.set(keys.file(id), undefined)
  }
})

/** Adds a reusable content. */
export const insertReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path, ids }: Step<Change<"insert_reusable_content">>
): Effect.fn.Return<void, Failure> {
  const { markdown } = yield* readBody(change.document ?? {}, `${path}.document`)
  const body = yield* putBody(context, markdown)
  const record: ReusableContentRecord = {
    title: change.title,
    ...(body === undefined ? {} : { body }),
    ...(change.git === undefined ? {} : { git: change.git })
  }
  context.draft.set(keys.reusableContent(ids[0]!), record as never)
})

const requireReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"update_reusable_content"> | Change<"delete_reusable_content">>
): Effect.fn.Return<ReusableContentRecord, Failure> {
  const record = yield* context.draft.reusableContent(change.reusableContent)
  if (record === undefined) {
    return yield* InvalidInput.at(
      `${path}.reusableContent`,
      "is not the id of a reusable content of this content"
    )
  }
  return record
})

/** Changes the title or the body of a reusable content. Fails with `InvalidInput` if it does not exist. */
export const updateReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  step: Step<Change<"update_reusable_content">>
): Effect.fn.Return<void, Failure> {
  const { change, path } = step
  const { body: before, ...rest } = yield* requireReusableContent(context, step)
  const body =
    change.document === undefined
      ? before
      : yield* putBody(
          context,
          (yield* readNewBody(context, change.document, before, `${path}.document`)).markdown
        )
  const record: ReusableContentRecord = {
    ...rest,
    title: change.title ?? rest.title,
    ...(body === undefined ? {} : { body })
  }
  context.draft.set(keys.reusableContent(change.reusableContent), record as never)
})

/** Deletes a reusable content. Fails with `InvalidInput` if it does not exist. */
export const deleteReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  step: Step<Change<"delete_reusable_content">>
): Effect.fn.Return<void, Failure> {
  yield* requireReusableContent(context, step)
  context.draft.set(keys.reusableContent(step.change.reusableContent), undefined)
})
