/** Operations that stage files for other operations, which refer to them by their keys. */

import {
  addAuditDetails,
  alsoByInput,
  type Command,
  Locks,
  type Operation,
  Operations,
  OrganizationQuotas,
  requireQuota,
  requireRoleIn,
  SystemGrant
} from "@lectern/access"
import { ImportLimits } from "@lectern/formats"
import {
  BlobHash,
  type HeldBytes,
  Ids,
  now,
  Records,
  StorageUnavailable,
  type StoredBytes,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type StagedUploadRow, stagedUploads } from "@lectern/kernel/tables"
import { type Conflict, type Forbidden, type Gone, InvalidInput, type NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { CreateUpload, UploadKey, type UploadKind, type UploadUrl } from "@lectern/model/uploads"
import { Clock, Context, Effect, Exit, Layer, Schema, type Stream } from "effect"
import { ContentStore } from "../content/ContentStore.ts"
import { toFileName } from "../content/edit/StoredFile.ts"
import { makeRequireUploadRoom } from "./UploadLimits.ts"
import { UploadAddress, UploadUrls } from "./UploadUrls.ts"

/** A file that a client sends to a signed URL. */
export interface ReceivedUpload<E> {
  /** The parameters of the URL. */
  readonly upload: UploadAddress
  /** The signature of the URL. */
  readonly signature: string
  /** The declared size of the body in bytes; undefined if the client does not declare it. */
  readonly contentLength: number | undefined
  /** The SHA-256 of the file that the client declares, in URL-safe base64 without padding; undefined without one. */
  readonly digest: string | undefined
  /** Reads the body, of at most `limit` bytes, for an upload. */
  readonly read: (limit: number, upload: FoundUpload) => Stream.Stream<Uint8Array, E>
}

/** The upload of a signed URL. */
export interface FoundUpload
  extends Pick<StagedUploadRow, "id" | "organization" | "user" | "size" | "hash"> {}

/** Bytes that are stored, as a parameter of the command that refers to them. */
const StoredFile = Schema.Struct({
  hash: BlobHash,
  size: Schema.Int,
  chunks: Schema.Array(BlobHash)
})

/** Operations on uploads. */
export interface UploadsOperations {
  /**
   * Returns a signed URL to upload a file to, and the key of the file. Requires access to the organization. The file is
   * deleted 24 hours later. Fails with `InvalidInput` if the file is too large for its kind, with `Conflict` if the caller has 100
   * other uploads in the organization that have not expired or if uploads would exceed `UploadLimits`, and with `Forbidden` if the
   * organization would exceed its quota of bytes.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateUpload },
    UploadUrl,
    NotFound | Forbidden | Conflict
  >
  /**
   * Returns the upload of a signed URL, without a user; undefined if the signature is invalid or the upload does not exist. Fails
   * with `Gone` if the URL has expired.
   */
  readonly find: Operation<
    { upload: UploadAddress; signature: string },
    FoundUpload | undefined,
    Gone | StorageUnavailable,
    never
  >
  /**
   * Makes stored bytes the file of a signed URL: the last step of `receive`, with the same result and errors. `replaced` is the
   * hash of the file that `find` returned. Fails with `StorageUnavailable` if another file has arrived since.
   */
  readonly complete: Operation<
    { upload: UploadAddress; signature: string; stored: typeof StoredFile.Type; replaced: BlobHash | null },
    boolean,
    Gone | Forbidden | StorageUnavailable,
    never
  >
  /**
   * Stores the file that a client sends to a signed URL while it arrives, without a user. It replaces a file that was sent to
   * the URL before. Returns whether the signature is valid and the upload exists. Fails with `Gone` if the URL has expired, with
   * `InvalidInput` if the file does not have the declared size or the declared digest, and with `Forbidden` if the organization would
   * exceed its quota of bytes. The bytes of a file that is rejected, incomplete or replaced are deleted.
   */
  readonly receive: <E>(
    request: ReceivedUpload<E>
  ) => Effect.Effect<boolean, E | Gone | Forbidden | InvalidInput | StorageUnavailable>
  /** Deletes expired uploads with their bytes, and returns their number. */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

/** How long an operation can refer to an upload, in milliseconds: 24 hours. */
const retentionMillis = 24 * 60 * 60 * 1000

/** The number of expired uploads per query. */
const purgeBatchSize = 100

/** The maximum size of a font, in bytes. */
const maximumFontBytes = 5 * 1024 * 1024

const wrongSize = (size: number) => InvalidInput.at("body", `must have the declared size of ${size} bytes`)

const makeUploadBytes = Effect.gen(function* () {
  const { files } = yield* ContentStore
  const { records: system } = yield* SystemGrant.make("Deletes uploads that have expired.")

  /** Returns the bytes of a file, by its hash. */
  const heldBytesOf = (hash: BlobHash): Effect.Effect<HeldBytes, StorageUnavailable> =>
    Effect.map(files.chunksOf(hash), (chunks) => ({ hash, chunks }))

  /** Returns the bytes that an upload still has, for the transaction that deletes others. */
  const bytesInUse = (key: UploadKey): Effect.Effect<HeldBytes | undefined, StorageUnavailable> =>
    Effect.flatMap(system.get(stagedUploads, { id: key }, ["hash"]), (row) =>
      row?.hash == null ? Effect.succeed(undefined) : heldBytesOf(row.hash)
    )

  const deleteBytes = (key: UploadKey, bytes: HeldBytes): Effect.Effect<void> =>
    files
      .release(key, bytes, bytesInUse(key))
      .pipe(
        Effect.catchCause((cause) =>
          Effect.logWarning("The bytes of an upload are deleted by garbage collection.", cause)
        )
      )

  return { system, heldBytesOf, bytesInUse, deleteBytes }
})

const makeCreation = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const urls = yield* UploadUrls
  const ids = yield* Ids
  const { archiveBytes } = yield* ImportLimits
  const requireUploadRoom = yield* makeRequireUploadRoom

  const limits: Readonly<Record<UploadKind, number>> = {
    customization_font: maximumFontBytes,
    import_file: archiveBytes
  }

  return {
    create: command(
      "Uploads.create",
      {
        parameters: { organization: OrganizationId, input: CreateUpload },
        authorize: alsoByInput(allow.organization("view"), "content.edit"),
        locks: Locks.tokenIn
      },
      function* ({ organization, input: { file, kind } }, { caller, records }) {
        // A guest has no role, and access only by the content that is shared with them.
        if (caller.role === null && caller.granted.size === 0) yield* requireRoleIn(null, "read")
        const limit = limits[kind]
        if (file.size > limit) {
          return yield* InvalidInput.at("file.size", `must be at most ${limit} for the kind ${kind}`)
        }
        const millis = yield* Clock.currentTimeMillis
        const createdAt = toTimestamp(millis)
        yield* requireUploadRoom(records, {
          organization,
          user: caller.user,
          size: file.size,
          createdAt
        })
        const id = UploadKey.make(yield* ids.next)
        yield* records.insert(stagedUploads, {
          id,
          organization,
          user: caller.user,
          kind,
          name: toFileName(file.name),
          contentType: file.type,
          size: file.size,
          hash: null,
          createdAt,
          expiresAt: toTimestamp(millis + retentionMillis)
        })
        yield* addAuditDetails({ resources: [`upload:${id}`] })
        return { object: "storage-signed-url", url: yield* urls.sign(id), key: id } satisfies UploadUrl
      }
    )
  }
})

const makeReception = Effect.gen(function* () {
  const { command, query } = yield* Operations
  const urls = yield* UploadUrls
  const { files } = yield* ContentStore
  const quotas = yield* OrganizationQuotas
  const { heldBytesOf, bytesInUse, deleteBytes } = yield* makeUploadBytes

  const find = query(
    "Uploads.find",
    { parameters: { upload: UploadAddress, signature: Schema.String }, authorize: urls.allowSigned },
    function* ({ upload }, { isSigned, grant }) {
      return isSigned
        ? yield* grant.records.get(stagedUploads, { id: upload.key }, [
            "id",
            "organization",
            "user",
            "size",
            "hash"
          ])
        : undefined
    }
  )

  const complete = command(
    "Uploads.complete",
    {
      parameters: {
        upload: UploadAddress,
        signature: Schema.String,
        stored: StoredFile,
        replaced: Schema.NullOr(BlobHash)
      },
      authorize: urls.allowSigned,
      locks: () => Locks.none
    },
    function* ({ upload, stored, replaced }, { isSigned, records }) {
      const row = isSigned ? yield* records.get(stagedUploads, { id: upload.key }) : undefined
      if (row === undefined) {
        yield* addAuditDetails({ isUnrecorded: true })
        return false
      }
      yield* addAuditDetails({
        organization: row.organization,
        actor: row.user,
        resources: [`upload:${row.id}`]
      })
      if (replaced === null) yield* requireQuota(quotas, records, row.organization, "bytes", stored.size)
      yield* files.linkTemporary(stored, row.id)
      const whereReplaced = Where.and<StagedUploadRow>(
        Where.eq("id", row.id),
        replaced === null ? Where.isNull("hash") : Where.eq("hash", replaced)
      )
      if ((yield* records.update(stagedUploads, whereReplaced, { hash: stored.hash })) > 0) return true
      return yield* new StorageUnavailable({
        reason: "Contention",
        detail: "Another file was sent to the same URL at the same time."
      })
    }
  )

  /** Checks stored bytes against their declaration, and sets them as the file of the upload. */
  const accept = Effect.fnUntraced(function* (
    { upload, signature, digest }: Pick<ReceivedUpload<never>, "upload" | "signature" | "digest">,
    { size, hash }: FoundUpload,
    stored: StoredBytes
  ) {
    if (stored.size !== size) return yield* wrongSize(size)
    if (digest !== undefined && digest !== stored.hash) {
      return yield* InvalidInput.at("body", "must have the SHA-256 that its digest header declares")
    }
    return yield* complete.decoded({ upload, signature, stored, replaced: hash })
  })

  const receive: UploadsOperations["receive"] = Effect.fnUntraced(function* (request) {
    const { upload, signature, contentLength, read } = request
    const found = yield* find.decoded({ upload, signature })
    if (found === undefined) return false
    const { id, size, hash } = found
    if (contentLength !== undefined && contentLength !== size) return yield* wrongSize(size)
    const replaced = hash === null ? undefined : yield* heldBytesOf(hash)
    const holder = { id, inUse: bytesInUse(id) }
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(files.write(read(size, found), undefined, holder)), (stored) =>
        Effect.onExit(restore(accept(request, found, stored)), (exit) => {
          const unused = Exit.isSuccess(exit) && exit.value ? replaced : stored
          return unused === undefined ? Effect.void : deleteBytes(id, unused)
        })
      )
    )
  })

  return { find, complete, receive }
})

const makePurge = Effect.gen(function* () {
  const { transaction } = yield* Records
  const { system, heldBytesOf, deleteBytes } = yield* makeUploadBytes

  /** Deletes an expired upload with its bytes. */
  const purgeOne = Effect.fnUntraced(function* ({ id, hash }: Pick<StagedUploadRow, "id" | "hash">) {
    const bytes = hash === null ? undefined : yield* heldBytesOf(hash)
    yield* transaction(system.remove(stagedUploads, Where.eq<StagedUploadRow, "id">("id", id)))
    if (bytes !== undefined) yield* deleteBytes(id, bytes)
  })

  const purge = Effect.gen(function* () {
    const time = yield* now
    let removed = 0
    for (;;) {
      const expired = yield* system.find(stagedUploads, {
        select: ["id", "hash"],
        where: Where.lte<StagedUploadRow, "expiresAt">("expiresAt", time),
        limit: purgeBatchSize
      })
      yield* Effect.forEach(expired, purgeOne)
      removed += expired.length
      if (expired.length < purgeBatchSize) return removed
    }
  })

  return { purge }
})

const makeUploads = Effect.gen(function* () {
  return { ...(yield* makeCreation), ...(yield* makeReception), ...(yield* makePurge) }
})

/** Operations on uploads: see {@link UploadsOperations}. */
export class Uploads extends Context.Service<Uploads, UploadsOperations>()("@lectern/core/Uploads") {
  static readonly layer: Layer.Layer<Uploads, never, Operations | UploadUrls | Ids | ContentStore | Records> =
    Layer.effect(Uploads, makeUploads)
}
