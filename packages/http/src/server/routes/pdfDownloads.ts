/** Serves PDFs. Their URLs are signed, need no token and expire after an hour. */
import { type PdfAddress, type PdfProgress, Pdfs, pdfsPath } from "@lectern/core"
import { Clock, Effect } from "effect"
import { matchesEtag } from "../messages/etag.ts"
import { toResponse, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"
import { acceptRanges } from "../messages/ranges.ts"
import { contentDispositionOf } from "./fileDownloads.ts"

const contentType = "application/pdf"

/** Parses the URL of a PDF and its signature. Returns `undefined` if it is malformed. */
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
  ...acceptRanges,
  etag,
  // The PDF of a revision never changes: it is cached until its URL expires.
  "cache-control": `private, max-age=${Math.max(0, expires - Math.ceil(now / 1000))}, immutable`,
  // No `sandbox`, because browsers do not display PDFs in one. The PDF is rendered here and has no scripts.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
  "content-disposition": contentDispositionOf({ name, contentType })
})

/** The time after which clients request a PDF in progress again, in seconds. */
const retryAfterSeconds = 2

/** Responds with the progress of a PDF that is rendered. Browsers follow `refresh`, other clients `retry-after`. */
export const progressResponse = (pages: PdfProgress): ApiResponse => ({
  status: 202,
  headers: {
    "content-type": "application/json",
    "cache-control": "no-store",
    "retry-after": String(retryAfterSeconds),
    refresh: String(retryAfterSeconds),
    "referrer-policy": "no-referrer"
  },
  body: JSON.stringify({ status: "rendering", pages })
})

/**
 * Creates the route that serves PDFs. It responds with 202 while a PDF is rendered for more than 20 s, with 404 to
 * invalid signatures and with 410 to expired URLs.
 */
export const makePdfDownloads = Effect.map(
  Pdfs,
  (pdfs) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const parsed = parsePdfUrl(request.url)
      if (parsed === undefined) return Effect.succeed(unknownPath())
      const [address, signature] = parsed
      return Effect.gen(function* () {
        const pdf = yield* pdfs.download.decoded({ pdf: address, signature })
        if (pdf === undefined) return unknownPath()
        if ("progress" in pdf) return progressResponse(pdf.progress)
        const etag = `"${address.revision}-${address.edition}"`
        const headers = headersOf(address, etag, yield* Clock.currentTimeMillis)
        const cachedTag = request.header("if-none-match")
        if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, headers)
        const { file } = pdf
        return {
          status: 200,
          headers: { ...headers, "content-type": contentType },
          body: { stream: file.read(0, file.size), length: file.size, slice: file.read }
        }
      }).pipe(Effect.catch((error) => Effect.succeed(toResponse(error))))
    }
)
