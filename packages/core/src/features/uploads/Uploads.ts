/** Operations that stage files for other operations, which refer to them by their keys. */

import { Conflict, type Forbidden, type Gone, InvalidInput, type NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { CreateUpload, UploadKey, type UploadKind, type UploadUrl } from "@lectern/model/uploads"
import { Clock, Context, Effect, Layer, Schema, type Stream } from "effect"
import { addAuditDetails } from "../../access/AuditedCall.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import type { Command, Operation } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { BlobHash } from "../../kernel/storage/Blobs.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now, toTimestamp } from "../../kernel/time.ts"
import { type StagedUploadRow, stagedUploads } from "../../tables/uploads/uploadTable.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { toFileName } from "../content/edit/StoredFile.ts"
import { ImportLimits } from "../imports/ImportLimits.ts"
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
  /** Reads the body, of at most `limit` bytes. */
  readonly read: (limit: number) => Stream.Stream<Uint8Array, E>
}

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
   * deleted 24 hours later. Fails with `InvalidInput` if the file is too large for its kind, and with `Conflict` if the caller
   * has 100 other uploads in the organization that have not expired.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateUpload },
    UploadUrl,
    NotFound | Forbidden | Conflict
  >
  /**
   * Returns the declared size of the file of a signed URL, without a user; undefined if the signature is invalid or the upload
   * does not exist. Fails with `Gone` if the URL has expired.
   */
  readonly find: Operation<
    { upload: UploadAddress; signature: string },
    Pick<StagedUploadRow, "size"> | undefined,
    Gone | StorageUnavailable,
    never
  >
  /** Makes stored bytes the file of a signed URL: the last step of `receive`, with the same result and errors. */
  readonly complete: Operation<
    { upload: UploadAddress; signature: string; stored: typeof StoredFile.Type },
    boolean,
    Gone | StorageUnavailable,
    never
  >
  /**
   * Stores the file that a client sends to a signed URL while it arrives, without a user. It replaces a file that was sent to
   * the URL before. Returns whether the signature is valid and the upload exists. Fails with `Gone` if the URL has expired, and
   * with `InvalidInput` if the file does not have the declared size or the declared digest.
   */
  readonly receive: <E>(
    request: ReceivedUpload<E>
  ) => Effect.Effect<boolean, E | Gone | InvalidInput | StorageUnavailable>
  /** Deletes expired uploads, and returns their number. Garbage collection deletes their bytes. */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

/** How long an operation can refer to an upload, in milliseconds: 24 hours. */
const retentionMillis = 24 * 60 * 60 * 1000

/** The maximum number of uploads of a user in an organization that have not expired. */
const maximumUploads = 100

/** The maximum size of a font, in bytes. */
const maximumFontBytes = 5 * 1024 * 1024

const makeUploads = Effect.gen(function* () {
  const { command, query, allow } = yield* Operations
  const urls = yield* UploadUrls
  const ids = yield* Ids
  const { files } = yield* ContentStore
  const { archiveBytes } = yield* ImportLimits
  const { records: system } = yield* SystemGrant.make("Deletes uploads that have expired.")
  const limits: Readonly<Record<UploadKind, number>> = {
    customization_font: maximumFontBytes,
    import_file: archiveBytes
  }

  const find = query(
    "Uploads.find",
    { parameters: { upload: UploadAddress, signature: Schema.String }, authorize: urls.allowSigned },
    function* ({ upload }, { isSigned, grant }) {
      return isSigned ? yield* grant.records.get(stagedUploads, { id: upload.key }, ["size"]) : undefined
    }
  )

  const complete = command(
    "Uploads.complete",
    {
      parameters: { upload: UploadAddress, signature: Schema.String, stored: StoredFile },
      authorize: urls.allowSigned,
      locks: () => Locks.none
    },
    function* ({ upload, stored }, { isSigned, records }) {
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
      yield* files.link(stored)
      const whereKey = Where.eq<StagedUploadRow, "id">("id", row.id)
      return (yield* records.update(stagedUploads, whereKey, { hash: stored.hash })) > 0
    }
  )

  const receive: UploadsOperations["receive"] = Effect.fnUntraced(function* ({
    upload,
    signature,
    contentLength,
    digest,
    read
  }) {
    const found = yield* find.decoded({ upload, signature })
    if (found === undefined) return false
    const { size } = found
    const wrongSize = InvalidInput.at("body", `must have the declared size of ${size} bytes`)
    if (contentLength !== undefined && contentLength !== size) return yield* wrongSize
    const stored = yield* files.write(read(size))
    if (stored.size !== size) return yield* wrongSize
    if (digest !== undefined && digest !== stored.hash) {
      return yield* InvalidInput.at("body", "must have the SHA-256 that its digest header declares")
    }
    return yield* complete.decoded({ upload, signature, stored })
  })

  return {
    create: command(
      "Uploads.create",
      {
        parameters: { organization: OrganizationId, input: CreateUpload },
        authorize: allow.organization("view"),
        locks: Locks.tokenIn
      },
      function* ({ organization, input: { file, kind } }, { caller, records }) {
        const limit = limits[kind]
        if (file.size > limit) {
          return yield* InvalidInput.at("file.size", `must be at most ${limit} for the kind ${kind}`)
        }
        const millis = yield* Clock.currentTimeMillis
        const createdAt = toTimestamp(millis)
        const count = yield* records.count(
          stagedUploads,
          Where.and<StagedUploadRow>(
            Where.eq("organization", organization),
            Where.eq("user", caller.user),
            Where.gt("expiresAt", createdAt)
          )
        )
        if (count >= maximumUploads) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `You have ${maximumUploads} uploads in this organization, the maximum. Each expires after 24 hours.`
          })
        }
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
    ),
    find,
    complete,
    receive,
    purge: Effect.flatMap(now, (time) =>
      system.remove(stagedUploads, Where.lte<StagedUploadRow, "expiresAt">("expiresAt", time))
    )
  }
})

/** Operations on uploads: see {@link UploadsOperations}. */
export class Uploads extends Context.Service<Uploads, UploadsOperations>()("@lectern/core/Uploads") {
  static readonly layer: Layer.Layer<Uploads, never, Operations | UploadUrls | Ids | ContentStore | Records> =
    Layer.effect(Uploads, makeUploads)
}
