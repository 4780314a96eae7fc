/** Applies the changes of a batch to files and reusable contents. */

import { hashOf, type StorageUnavailable } from "@lectern/kernel"
import { type FileRecord, keys, type ReusableContentRecord } from "@lectern/kernel/tables"
import type { FileId } from "@lectern/model/content"
import { type ContentChange, maximumFileBytes, type NewFile } from "@lectern/model/content"
import { type InvalidField, InvalidInput } from "@lectern/model/errors"
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { type EditContext, putBody, readBody, readNewBody, type Step } from "./EditContext.ts"
import { dimensionsOf, StoredFile } from "./StoredFile.ts"

type Change<O extends ContentChange["operation"]> = Extract<ContentChange, { operation: O }>
type Failure = InvalidInput | StorageUnavailable

/** Decodes the bytes of a file in a batch. */
const bytesOf = (file: NewFile, path: string): Result.Result<Uint8Array, InvalidInput> => {
  const invalid = (field: string, message: string) =>
    Result.fail(InvalidInput.at(`${path}.${field}`, message))
  if (file.base64 === undefined) return invalid("base64", "is required without `url`")
  if (file.url !== undefined) return invalid("url", "cannot be combined with `base64`")
  if (file.contentType === undefined) return invalid("contentType", "is required with `base64`")
  const bytes = Base64.decode(file.base64)
  if (Result.isFailure(bytes)) return invalid("base64", "must be valid base64")
  return bytes.success.length > maximumFileBytes
    ? invalid("base64", "must be at most 1 MiB after decoding")
    : Result.succeed(bytes.success)
}

/** The stored bytes of a file of at most one chunk. */
const storedInline = (bytes: Uint8Array): Pick<StoredFile, "stored" | "dimensions"> => {
  const hash = hashOf(bytes)
  return { stored: { hash, size: bytes.length, chunks: [hash] }, dimensions: dimensionsOf(bytes) }
}

/** Adds files. Fails with `InvalidInput` for all files that are invalid. */
export const insertFiles = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path, ids }: Step<Change<"insert_files">>
): Effect.fn.Return<void, Failure> {
  const invalid: Array<InvalidField> = []
  const inline = new Map<NewFile, Uint8Array>()
  for (const [index, file] of change.files.entries()) {
    if (file instanceof StoredFile) continue
    const bytes = bytesOf(file, `${path}.files.${index}`)
    if (Result.isFailure(bytes)) invalid.push(...bytes.failure.details)
    else inline.set(file, bytes.success)
  }
  if (invalid.length > 0) return yield* InvalidInput.of(invalid)
  if (inline.size > 0) yield* context.content.blobs.put(inline.values())
  for (const [index, file] of change.files.entries()) {
    const { stored, dimensions } = file instanceof StoredFile ? file : storedInline(inline.get(file)!)
    if (file instanceof StoredFile) yield* context.content.files.link(stored)
    const record: FileRecord = {
      name: file.name,
      contentType: file.contentType!,
      size: stored.size,
      hash: stored.hash,
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(file.git === undefined ? {} : { git: file.git })
    }
    context.draft.set(keys.file(ids[index]!), record)
    context.files.push(ids[index] as FileId)
  }
})

/** Returns a file of the draft. Fails with `InvalidInput` at `path` if it does not exist. */
const requireFile = ({ draft }: EditContext, id: FileId, path: string): Effect.Effect<FileRecord, Failure> =>
  Effect.flatMap(draft.file(id), (record) =>
    record === undefined
      ? Effect.fail(InvalidInput.at(path, "is not the id of a file of this content"))
      : Effect.succeed(record)
  )

/** Changes the name or the bytes of a file. Fails with `InvalidInput` if it or the file with the bytes does not exist. */
export const updateFile = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"update_file">>
): Effect.fn.Return<void, Failure> {
  const before = yield* requireFile(context, change.file, `${path}.file`)
  const { dimensions: _, ...rest } = before
  const { contentType, size, hash, dimensions } =
    change.bytesOf === undefined ? before : yield* requireFile(context, change.bytesOf, `${path}.bytesOf`)
  const record: FileRecord = {
    ...rest,
    name: change.name ?? before.name,
    contentType,
    size,
    hash,
    ...(dimensions === undefined ? {} : { dimensions })
  }
  context.draft.set(keys.file(change.file), record)
})

/** Deletes files. Fails with `InvalidInput` if one does not exist. */
export const deleteFiles = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"delete_files">>
): Effect.fn.Return<void, Failure> {
  for (const [index, id] of change.files.entries()) {
    yield* requireFile(context, id, `${path}.files.${index}`)
    context.draft.set(keys.file(id), undefined)
  }
})

/** Reverts a file. Fails with `InvalidInput` if neither the content nor the revision has it. */
export const revertFile = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"revert_file">>
): Effect.fn.Return<void, Failure> {
  const tree = yield* context.revision(change.revision, `${path}.revision`)
  const target = yield* tree.file(change.file)
  if (target === undefined && (yield* context.draft.file(change.file)) === undefined) {
    return yield* InvalidInput.at(
      `${path}.file`,
      "is not the id of a file of this content or of the revision"
    )
  }
  context.draft.set(keys.file(change.file), target)
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
  context.draft.set(keys.reusableContent(ids[0]!), record)
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
          (yield* readNewBody(context, change.document, before, `${path}.document`)).markdown,
          before
        )
  const record: ReusableContentRecord = {
    ...rest,
    title: change.title ?? rest.title,
    ...(body === undefined ? {} : { body })
  }
  context.draft.set(keys.reusableContent(change.reusableContent), record)
})

/** Deletes a reusable content. Fails with `InvalidInput` if it does not exist. */
export const deleteReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  step: Step<Change<"delete_reusable_content">>
): Effect.fn.Return<void, Failure> {
  yield* requireReusableContent(context, step)
  context.draft.set(keys.reusableContent(step.change.reusableContent), undefined)
})

/** Reverts a reusable content. Fails with `InvalidInput` if neither the content nor the revision has it. */
export const revertReusableContent = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"revert_reusable_content">>
): Effect.fn.Return<void, Failure> {
  const id = change.reusableContent
  const tree = yield* context.revision(change.revision, `${path}.revision`)
  const target = yield* tree.reusableContent(id)
  if (target === undefined && (yield* context.draft.reusableContent(id)) === undefined) {
    return yield* InvalidInput.at(
      `${path}.reusableContent`,
      "is not the id of a reusable content of this content or of the revision"
    )
  }
  context.draft.set(keys.reusableContent(id), target)
})
