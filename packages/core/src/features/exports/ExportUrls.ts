/** Signed URLs of exports. They require no token and are valid for an hour. */

import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import { Gone } from "../../kernel/errors.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Signatures } from "../../kernel/security/Signatures.ts"
import type { Records, StorageUnavailable } from "../../kernel/storage/index.ts"

/** The parameters of the URL of an export. */
export class ExportAddress extends resource<ExportAddress>()(
  Schema.Struct({
    /** The id of the space. */
    space: Schema.String,
    /** The id of the revision. */
    revision: Schema.String,
    /** The name that the archive is saved under. */
    name: Schema.String,
    /** When the URL expires, in seconds since 1970. */
    expires: Schema.Number
  })
) {}

/** The path prefix of exports, followed by the space, the revision and the name. */
export const exportsPath = "/exports/"

const lifetimeSeconds = 60 * 60

/** Expiries are multiples of this, so that repeated requests return the same URL, and conditional ones 304. */
const expirySteps = 5 * 60

const partsOf = ({ space, revision, name, expires }: ExportAddress): ReadonlyArray<string> => [
  "export",
  space,
  revision,
  name,
  String(expires)
]

const makeExportUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const { grant } = yield* SystemGrant.make("Serves exports to clients that have a signed URL.")
  const linkBase = yield* makeLinkBase

  const allowSigned: Authorization<
    { readonly archive: ExportAddress; readonly signature: string },
    { readonly isSigned: boolean },
    Gone,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the export for an hour" },
    check: Effect.fnUntraced(function* ({ archive, signature }) {
      if (!(yield* signatures.verify(signature, ...partsOf(archive)))) return { isSigned: false, grant }
      if ((yield* Clock.currentTimeMillis) < archive.expires * 1000) return { isSigned: true, grant }
      return yield* new Gone({
        reason: "AddressExpired",
        message: "The URL of this export has expired: it was valid for an hour. Request a new one."
      })
    })
  }

  return {
    /** Authorizes a download by the signature of its URL. Fails with `Gone` if the URL has expired. */
    allowSigned,

    /** Returns a signed URL of an export that is valid for an hour. */
    sign: Effect.fnUntraced(function* (
      target: Omit<ExportAddress, "expires">
    ): Effect.fn.Return<string, StorageUnavailable> {
      const sign = yield* signatures.signer
      const soonest = (yield* Clock.currentTimeMillis) / 1000 + lifetimeSeconds
      const expires = Math.ceil(soonest / expirySteps) * expirySteps
      const address: ExportAddress = { ...target, expires }
      const query = new URLSearchParams({ expires: String(expires), signature: sign(...partsOf(address)) })
      return `${yield* linkBase}${exportsPath}${address.space}/${address.revision}/${encodeURIComponent(address.name)}?${query}`
    })
  }
})

/** The methods of {@link ExportUrls}. */
export interface ExportUrlsService extends Effect.Success<typeof makeExportUrls> {}

/** Signs and verifies the URLs of exports. */
export class ExportUrls extends Context.Service<ExportUrls, ExportUrlsService>()("@lectern/core/ExportUrls") {
  static readonly layer: Layer.Layer<ExportUrls, never, Signatures | Records> = Layer.effect(
    ExportUrls,
    makeExportUrls
  )
}
