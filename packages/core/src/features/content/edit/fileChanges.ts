/** The operations of a batch on files and reusable contents. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { imageSize } from "image-size"
import { InvalidInput } from "../../../kernel/errors.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import { type FileRecord, keys, type ReusableContentRecord } from "../../../model/content/ContentRecord.ts"
import { type ContentChange, maximumFileBytes, type NewFile } from "../../../model/content/EditContent.ts"
import type { Dimensions, FileId } from "../../../model/content/File.ts"
import { type Editing, putBody, readBody, type Step } from "./Editing.ts"

type Change<O extends ContentChange["operation"]> = Extract<ContentChange, { operation: O }>
type Failure = InvalidInput | StorageUnavailable

/** The size of an image, where the bytes are of one. */
export const dimensionsOf = (bytes: Uint8Array): Dimensions | undefined => {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return undefined
  }
}

/** The bytes of a file of a batch. */
const bytesOf = (file: NewFile, path: string): Result.Result<Uint8Array, InvalidInput> => {
  const wrong = (field: string, message: string) => Result.fail(InvalidInput.at(`${path}.${field}`, message))
  if (file.base64 === undefined) {
    return file.url === undefined
      ? wrong("base64", "is required")
      : wrong("url", "cannot be fetched by this server; send the bytes as base64")
  }
  if (file.url !== undefined) return wrong("url", "cannot be given beside base64")
  if (file.contentType === undefined) return wrong("contentType", "is required beside base64")
  const bytes = Base64.decode(file.base64)
  if (Result.isFailure(bytes)) return wrong("base64", "must be base 64")
  return bytes.success.length > maximumFileBytes
    ? wrong("base64", "must be of at most 1 MiB")
    : Result.succeed(bytes.success)
}

/** `insert_files`. */
export const insertFiles = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path, ids }: Step<Change<"insert_files">>
): Effect.fn.Return<void, Failure> {
  const all = change.files.map((file, index) => bytesOf(file, `${path}.files.${index}`))
  const wrong = all.flatMap((bytes) => (Result.isFailure(bytes) ? bytes.failure.details : []))
  if (wrong.length > 0) return yield* InvalidInput.of(wrong)
  const bytes = all.map(Result.getOrThrow)
  const hashes = yield* editing.content.blobs.put(bytes)
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
    editing.draft.set(keys.file(ids[index]!), record as never)
    editing.files.push(ids[index] as FileId)
  }
})

/** `delete_files`. */
export const deleteFiles = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path }: Step<Change<"delete_files">>
): Effect.fn.Return<void, Failure> {
  for (const [index, id] of change.files.entries()) {
    if ((yield* editing.draft.file(id)) === undefined) {
      return yield* InvalidInput.at(`${path}.files.${index}`, "names no file of this content")
    }
    editing.draft.set(keys.file(id), undefined)
  }
})

/** `insert_reusable_content`. */
export const insertReusableContent = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path, ids }: Step<Change<"insert_reusable_content">>
): Effect.fn.Return<void, Failure> {
  const { markdown } = yield* readBody(change.document ?? {}, `${path}.document`)
  const body = yield* putBody(editing, markdown)
  const record: ReusableContentRecord = {
    title: change.title,
    ...(body === undefined ? {} : { body }),
    ...(change.git === undefined ? {} : { git: change.git })
  }
  editing.draft.set(keys.reusableContent(ids[0]!), record as never)
})

const existing = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path }: Step<Change<"update_reusable_content"> | Change<"delete_reusable_content">>
): Effect.fn.Return<ReusableContentRecord, Failure> {
  const record = yield* editing.draft.reusableContent(change.reusableContent)
  if (record === undefined) {
    return yield* InvalidInput.at(`${path}.reusableContent`, "names no reusable content of this content")
  }
  return record
})

/** `update_reusable_content`. */
export const updateReusableContent = Effect.fnUntraced(function* (
  editing: Editing,
  step: Step<Change<"update_reusable_content">>
): Effect.fn.Return<void, Failure> {
  const { change, path } = step
  const { body: before, ...rest } = yield* existing(editing, step)
  const body =
    change.document === undefined
      ? before
      : yield* putBody(editing, (yield* readBody(change.document, `${path}.document`)).markdown)
  const record: ReusableContentRecord = {
    ...rest,
    title: change.title ?? rest.title,
    ...(body === undefined ? {} : { body })
  }
  editing.draft.set(keys.reusableContent(change.reusableContent), record as never)
})

/** `delete_reusable_content`. */
export const deleteReusableContent = Effect.fnUntraced(function* (
  editing: Editing,
  step: Step<Change<"delete_reusable_content">>
): Effect.fn.Return<void, Failure> {
  yield* existing(editing, step)
  editing.draft.set(keys.reusableContent(step.change.reusableContent), undefined)
})
