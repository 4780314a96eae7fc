/** Signed URLs of exports. They require no token and are valid for an hour. */

import { type Authorization, makeSignedUrlCheck, SystemGrant, signedUrlSeconds } from "@lectern/access"
import { makeLinkBase, type Records, Signatures, type StorageUnavailable } from "@lectern/kernel"
import type { Gone } from "@lectern/model/errors"
import { resource } from "@lectern/model/schema"
import { Clock, Context, Effect, Layer, Schema } from "effect"

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

/** The parameters of the URL of an export of a site. */
export class SiteExportAddress extends resource<SiteExportAddress>()(
  Schema.Struct({
    /** The id of the organization. */
    organization: Schema.String,
    /** The id of the site. */
    site: Schema.String,
    /** A digest of the spaces of the site and their folders. Another list requires another URL. */
    spaces: Schema.String,
    /** The name that the archive is saved under. */
    name: Schema.String,
    /** When the URL expires, in seconds since 1970. */
    expires: Schema.Number
  })
) {}

/**
 * The path prefix of exports, followed by the space, the revision and the name; or by `sites`, the organization, the site and the
 * name.
 */
export const exportsPath = "/exports/"

/** Expiries are multiples of this, so that repeated requests return the same URL, and conditional ones 304. */
const expirySteps = 5 * 60

type AnyAddress = ExportAddress | SiteExportAddress

const partsOf = (address: AnyAddress): ReadonlyArray<string> => {
  const { name, expires } = address
  return "site" in address
    ? ["site-export", address.organization, address.site, address.spaces, name, String(expires)]
    : ["export", address.space, address.revision, name, String(expires)]
}

/** Returns the path of an export below {@link exportsPath}, and the parameters of its query besides the signature. */
const urlOf = (address: AnyAddress): readonly [path: string, query: Readonly<Record<string, string>>] => {
  const name = encodeURIComponent(address.name)
  const expires = String(address.expires)
  return "site" in address
    ? [`sites/${address.organization}/${address.site}/${name}`, { spaces: address.spaces, expires }]
    : [`${address.space}/${address.revision}/${name}`, { expires }]
}

const makeExportUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const system = yield* SystemGrant.make("Serves exports to clients that have a signed URL.")
  const check = yield* makeSignedUrlCheck("export", system)
  const linkBase = yield* makeLinkBase

  const rule = { kind: "visitor", why: "a signed URL names the export for an hour" } as const

  const allowSigned: Authorization<
    { readonly archive: ExportAddress; readonly signature: string },
    { readonly isSigned: boolean },
    Gone,
    never
  > = { rule, check: ({ archive, signature }) => check(partsOf(archive), archive.expires, signature) }

  const allowSignedSite: Authorization<
    { readonly siteArchive: SiteExportAddress; readonly signature: string },
    { readonly isSigned: boolean },
    Gone,
    never
  > = {
    rule,
    check: ({ siteArchive, signature }) => check(partsOf(siteArchive), siteArchive.expires, signature)
  }

  return {
    /** Authorizes a download by the signature of its URL. Fails with `Gone` if the URL has expired. */
    allowSigned,

    /** Authorizes a download of a site by the signature of its URL. Fails with `Gone` if the URL has expired. */
    allowSignedSite,

    /** Returns a signed URL of an export that is valid for an hour. */
    sign: Effect.fnUntraced(function* (
      target: Omit<ExportAddress, "expires"> | Omit<SiteExportAddress, "expires">
    ): Effect.fn.Return<string, StorageUnavailable> {
      const sign = yield* signatures.signer
      const soonest = (yield* Clock.currentTimeMillis) / 1000 + signedUrlSeconds
      const address = { ...target, expires: Math.ceil(soonest / expirySteps) * expirySteps }
      const [path, parameters] = urlOf(address)
      const query = new URLSearchParams({ ...parameters, signature: sign(...partsOf(address)) })
      return `${yield* linkBase}${exportsPath}${path}?${query}`
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
