/** Signed URLs to upload files to. They require no token and are valid for an hour. */

import { type Authorization, makeSignedUrlCheck, SystemGrant, signedUrlSeconds } from "@lectern/access"
import { makeLinkBase, type Records, Signatures, type StorageUnavailable } from "@lectern/kernel"
import type { Gone } from "@lectern/model/errors"
import { resource } from "@lectern/model/schema"
import { UploadKey } from "@lectern/model/uploads"
import { Clock, Context, Effect, Layer, Schema } from "effect"

/** The parameters of a URL to upload a file to. */
export class UploadAddress extends resource<UploadAddress>()(
  Schema.Struct({
    /** The key of the upload. */
    key: UploadKey,
    /** When the URL expires, in seconds since 1970. */
    expires: Schema.Number
  })
) {}

/** The path prefix of uploads, followed by the key. */
export const uploadsPath = "/uploads/"

const partsOf = ({ key, expires }: UploadAddress) => ["upload", key, String(expires)]

const makeUploadUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const system = yield* SystemGrant.make("Receives files from clients that have a signed URL.")
  const check = yield* makeSignedUrlCheck("upload", system)
  const linkBase = yield* makeLinkBase

  const allowSigned: Authorization<
    { readonly upload: UploadAddress; readonly signature: string },
    { readonly isSigned: boolean },
    Gone,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the upload for an hour" },
    check: ({ upload, signature }) => check(partsOf(upload), upload.expires, signature)
  }

  return {
    /** Authorizes an upload by the signature of its URL. Fails with `Gone` if the URL has expired. */
    allowSigned,

    /** Returns a signed URL to upload the file with a key to, which is valid for an hour. */
    sign: Effect.fnUntraced(function* (key: UploadKey): Effect.fn.Return<string, StorageUnavailable> {
      const sign = yield* signatures.signer
      const expires = Math.ceil((yield* Clock.currentTimeMillis) / 1000) + signedUrlSeconds
      const query = new URLSearchParams({
        expires: String(expires),
        signature: sign(...partsOf({ key, expires }))
      })
      return `${yield* linkBase}${uploadsPath}${encodeURIComponent(key)}?${query}`
    })
  }
})

/** The methods of {@link UploadUrls}. */
export interface UploadUrlsService extends Effect.Success<typeof makeUploadUrls> {}

/** Signs and verifies the URLs of uploads. */
export class UploadUrls extends Context.Service<UploadUrls, UploadUrlsService>()("@lectern/core/UploadUrls") {
  static readonly layer: Layer.Layer<UploadUrls, never, Signatures | Records> = Layer.effect(
    UploadUrls,
    makeUploadUrls
  )
}
