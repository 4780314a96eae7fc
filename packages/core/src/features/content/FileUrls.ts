/** Signed URLs of files. They require no token and are valid while the file exists. */

import { Context, Effect, Layer, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Signatures } from "../../kernel/security/Signatures.ts"
import { BlobHash } from "../../kernel/storage/Blobs.ts"
import type { Records } from "../../kernel/storage/index.ts"
import type { FileRecord } from "../../model/content/ContentRecord.ts"
import { SpaceId } from "../../model/spaces/Space.ts"

/** The parameters of the URL of a file. */
export class Download extends resource<Download>()(
  Schema.Struct({
    /** The space that the file belongs to. */
    space: SpaceId,
    /** The hash of the bytes. */
    hash: BlobHash,
    /** The name that the file is saved under. */
    name: Schema.String,
    /** The media type that the bytes are served as. */
    contentType: Schema.String
  })
) {}

/** The path prefix of downloads, followed by the space, the hash and the name. */
export const downloadsPath = "/files/"

const partsOf = ({ space, hash, name, contentType }: Download) => ["file", space, hash, name, contentType]

const makeFileUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const { grant } = yield* SystemGrant.make("Serves files to visitors who have a signed URL.")
  const linkBase = yield* makeLinkBase

  /** Whether this workspace has signed the URL. */
  const isSigned = (download: Download, signature: string) =>
    signatures.verify(signature, ...partsOf(download))

  const allowSigned: Authorization<
    { readonly file: Download; readonly signature: string },
    { readonly isSigned: boolean },
    never,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the file" },
    check: ({ file, signature }) => Effect.map(isSigned(file, signature), (isSigned) => ({ isSigned, grant }))
  }

  return {
    /**
     * Authorizes a download by the signature of its URL. The grant reports whether the signature is valid: a forged
     * URL is indistinguishable from that of a missing file.
     */
    allowSigned,

    /** Returns the function that signs URLs of the files of a space. */
    in: (space: SpaceId) =>
      Effect.zipWith(
        signatures.signer,
        linkBase,
        (sign, base) =>
          ({ hash, name, contentType }: FileRecord): string => {
            const query = new URLSearchParams({
              type: contentType,
              signature: sign(...partsOf({ space, hash, name, contentType }))
            })
            return `${base}${downloadsPath}${space}/${hash}/${encodeURIComponent(name)}?${query}`
          }
      )
  }
})

/** The methods of {@link FileUrls}. */
export interface FileUrlsService extends Effect.Success<typeof makeFileUrls> {}

/** Signs and verifies the URLs of files. */
export class FileUrls extends Context.Service<FileUrls, FileUrlsService>()("@lectern/core/FileUrls") {
  static readonly layer: Layer.Layer<FileUrls, never, Signatures | Records> = Layer.effect(
    FileUrls,
    makeFileUrls
  )
}
