/** The addresses that files are downloaded from: they need no token, and work for as long as the file exists. */
import { Context, Effect, Layer } from "effect"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { isSame, Signatures } from "../../kernel/security/Signatures.ts"
import type { BlobHash } from "../../kernel/storage/index.ts"
import type { FileRecord } from "../../model/content/ContentRecord.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"

/** What an address says: which bytes of which space, and as what they are served. */
export interface Download {
  readonly space: SpaceId
  readonly hash: BlobHash
  readonly name: string
  readonly contentType: string
}

/** The path that downloads are under; behind it the space, the hash and the name. */
export const downloadsPath = "/files/"

const partsOf = ({ space, hash, name, contentType }: Download) => ["file", space, hash, name, contentType]

const makeFileUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const base = yield* PublicUrl

  return {
    /** Makes the addresses of the files of a space. */
    in: (space: SpaceId) =>
      Effect.map(signatures.signer, (sign) => ({ hash, name, contentType }: FileRecord): string => {
        const query = new URLSearchParams({
          type: contentType,
          signature: sign(...partsOf({ space, hash, name, contentType }))
        })
        return `${base}${downloadsPath}${space}/${hash}/${encodeURIComponent(name)}?${query}`
      }),

    /** Whether an address was made here. */
    isSigned: (download: Download, signature: string) =>
      Effect.map(signatures.signer, (sign) => isSame(sign(...partsOf(download)), signature))
  }
})

/** See the module's comment. */
export class FileUrls extends Context.Service<FileUrls, Effect.Success<typeof makeFileUrls>>()(
  "@lectern/core/FileUrls"
) {
  static readonly layer: Layer.Layer<FileUrls, never, Signatures> = Layer.effect(FileUrls, makeFileUrls)
}
