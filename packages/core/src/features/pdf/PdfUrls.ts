/** The addresses that PDFs are had from: they need no token, and work for an hour (decision D7). */
import { Clock, Context, Effect, Layer } from "effect"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { isSame, Signatures } from "../../kernel/security/Signatures.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"

/** What an address says: which content, which pages of it, and until when, in seconds since 1970. */
export interface PdfAddress {
  readonly space: string
  readonly revision: string
  /** The change request whose content it is; empty for a space's own. */
  readonly changeRequest: string
  /** The page that it is of; empty for all. */
  readonly page: string
  readonly only: boolean
  /** Tells PDFs of one revision apart, whose titles or computed pages were others. */
  readonly edition: string
  readonly name: string
  readonly expires: number
}

/** The path that PDFs are under; behind it the space, the revision and the name. */
export const pdfsPath = "/pdf/"

const lifetimeSeconds = 60 * 60

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
  const base = yield* PublicUrl

  return {
    /** The address of a PDF for the hour to come. */
    of: Effect.fnUntraced(function* (
      pdf: Omit<PdfAddress, "expires">
    ): Effect.fn.Return<string, StorageUnavailable> {
      const sign = yield* signatures.signer
      const expires = Math.floor((yield* Clock.currentTimeMillis) / 1000) + lifetimeSeconds
      const address: PdfAddress = { ...pdf, expires }
      const query = new URLSearchParams({
        ...(address.changeRequest === "" ? {} : { changeRequest: address.changeRequest }),
        ...(address.page === "" ? {} : { page: address.page }),
        ...(address.only ? { only: "true" } : {}),
        edition: address.edition,
        expires: String(expires),
        signature: sign(...partsOf(address))
      })
      return `${base}${pdfsPath}${address.space}/${address.revision}/${encodeURIComponent(address.name)}?${query}`
    }),

    /** Whether an address was made here, and whether its hour is over. */
    check: Effect.fnUntraced(function* (
      address: PdfAddress,
      signature: string
    ): Effect.fn.Return<"good" | "expired" | "forged", StorageUnavailable> {
      const sign = yield* signatures.signer
      if (!isSame(sign(...partsOf(address)), signature)) return "forged"
      return (yield* Clock.currentTimeMillis) < address.expires * 1000 ? "good" : "expired"
    })
  }
})

/** See the module's comment. */
export class PdfUrls extends Context.Service<PdfUrls, Effect.Success<typeof makePdfUrls>>()(
  "@lectern/core/PdfUrls"
) {
  static readonly layer: Layer.Layer<PdfUrls, never, Signatures> = Layer.effect(PdfUrls, makePdfUrls)
}
