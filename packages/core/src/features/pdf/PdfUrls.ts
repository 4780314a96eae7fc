/** Signed URLs of PDFs. They require no token and are valid for an hour. */

import { type Authorization, makeSignedUrlCheck, SystemGrant, signedUrlSeconds } from "@lectern/access"
import { makeLinkBase, type Records, Signatures, type StorageUnavailable } from "@lectern/kernel"
import type { Gone } from "@lectern/model/errors"
import { resource } from "@lectern/model/schema"
import { Clock, Context, Effect, Layer, Schema } from "effect"

/** The parameters of the URL of a PDF. */
export class PdfAddress extends resource<PdfAddress>()(
  Schema.Struct({
    /** The id of the space. */
    space: Schema.String,
    /** The id of the revision. */
    revision: Schema.String,
    /** The id of the change request whose content the PDF shows. Empty for the content of the space. */
    changeRequest: Schema.String,
    /** The id of the page that the PDF shows. Empty for all pages. */
    page: Schema.String,
    /** Whether the PDF shows `page` without the pages below it. */
    only: Schema.Boolean,
    /** A hash that distinguishes PDFs of one revision whose titles or computed pages differ. */
    edition: Schema.String,
    /** The name that the PDF is saved under. */
    name: Schema.String,
    /** When the URL expires, in seconds since 1970. */
    expires: Schema.Number
  })
) {}

/** The path prefix of PDFs, followed by the space, the revision and the name. */
export const pdfsPath = "/pdf/"

const partsOf = (address: PdfAddress): ReadonlyArray<string> => [
  "pdf",
  address.space,
  address.revision,
  address.changeRequest,
  address.page,
  String(address.only),
  address.edition,
  address.name,
  String(address.expires)
]

const makePdfUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const system = yield* SystemGrant.make("Serves PDFs to visitors who have a signed URL.")
  const check = yield* makeSignedUrlCheck("PDF", system)
  const linkBase = yield* makeLinkBase

  const allowSigned: Authorization<
    { readonly pdf: PdfAddress; readonly signature: string },
    { readonly isSigned: boolean },
    Gone,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the PDF for an hour" },
    check: ({ pdf, signature }) => check(partsOf(pdf), pdf.expires, signature)
  }

  return {
    /**
     * Authorizes a download by the signature of its URL. Fails with `Gone` if the URL has expired. The grant reports
     * whether the signature is valid: a forged URL is indistinguishable from that of missing content.
     */
    allowSigned,

    /** Returns a signed URL of a PDF that is valid for an hour. */
    sign: Effect.fnUntraced(function* (
      pdf: Omit<PdfAddress, "expires">
    ): Effect.fn.Return<string, StorageUnavailable> {
      const signParts = yield* signatures.signer
      const expires = Math.floor((yield* Clock.currentTimeMillis) / 1000) + signedUrlSeconds
      const address: PdfAddress = { ...pdf, expires }
      const query = new URLSearchParams({
        ...(address.changeRequest === "" ? {} : { changeRequest: address.changeRequest }),
        ...(address.page === "" ? {} : { page: address.page }),
        ...(address.only ? { only: "true" } : {}),
        edition: address.edition,
        expires: String(expires),
        signature: signParts(...partsOf(address))
      })
      return `${yield* linkBase}${pdfsPath}${address.space}/${address.revision}/${encodeURIComponent(address.name)}?${query}`
    })
  }
})

/** The methods of {@link PdfUrls}. */
export interface PdfUrlsService extends Effect.Success<typeof makePdfUrls> {}

/** Signs and verifies the URLs of PDFs. */
export class PdfUrls extends Context.Service<PdfUrls, PdfUrlsService>()("@lectern/core/PdfUrls") {
  static readonly layer: Layer.Layer<PdfUrls, never, Signatures | Records> = Layer.effect(
    PdfUrls,
    makePdfUrls
  )
}
