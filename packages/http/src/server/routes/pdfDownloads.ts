/** Serves PDFs, to whoever has their address: it is signed, and good for an hour (decision D7). */
import { type PdfAddress, Pdfs, pdfsPath } from "@lectern/core"
import { Clock, Effect } from "effect"
import { matchesEtag } from "../messages/etag.ts"
import { toResponse, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, empty } from "../messages/Message.ts"
import { dispositionOf } from "./fileDownloads.ts"

const contentType = "application/pdf"

/** What an address names, with its signature; `undefined` where it cannot be one. */
const parsePdfUrl = (url: string): readonly [address: PdfAddress, signature: string] | undefined => {
  const [path, query] = url.split("?", 2)
  const parts = path!.slice(pdfsPath.length).split("/")
  const parameters = new URLSearchParams(query)
  const [edition, expires, signature] = ["edition", "expires", "signature"].map((name) =>
    parameters.get(name)
  )
  if (parts.length !== 3 || !edition || !signature || !/^\d{1,12}$/.test(expires ?? "")) return undefined
  try {
    const [space, revision, name] = parts.map(decodeURIComponent) as [string, string, string]
    const address = {
      space,
      revision,
      name,
      edition,
      changeRequest: parameters.get("changeRequest") ?? "",
      page: parameters.get("page") ?? "",
      only: parameters.get("only") === "true",
      expires: Number(expires)
    }
    return [address, signature]
  } catch {
    return undefined
  }
}

const headersOf = ({ name, expires }: PdfAddress, etag: string, now: number): Record<string, string> => ({
  etag,
  // As long as the address is good: what it names never changes.
  "cache-control": `private, max-age=${Math.max(0, expires - Math.ceil(now / 1000))}, immutable`,
  // No sandbox, as files have: browsers show no PDF in one. It is made here, and runs nothing.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
  "content-disposition": dispositionOf({ name, contentType })
})

/** Creates the route that serves PDFs. */
export const makePdfDownloads = Effect.map(
  Pdfs,
  (pdfs) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const parsed = parsePdfUrl(request.url)
      if (parsed === undefined) return Effect.succeed(unknownPath())
      const [address, signature] = parsed
      return Effect.gen(function* () {
        const bytes = yield* pdfs.download.decoded({ pdf: address, signature })
        if (bytes === undefined) return unknownPath()
        const etag = `"${address.revision}-${address.edition}"`
        const headers = headersOf(address, etag, yield* Clock.currentTimeMillis)
        const known = request.header("if-none-match")
        if (known !== undefined && matchesEtag(known, etag)) return empty(304, headers)
        return { status: 200, headers: { ...headers, "content-type": contentType }, body: bytes }
      }).pipe(Effect.catch((error) => Effect.succeed(toResponse(error))))
    }
)
