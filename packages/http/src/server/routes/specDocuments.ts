/** Serves the documents of OpenAPI specs, unchanged, by the id of a version, the only credential, or of a public spec. */
import { OpenApiSpecs, specsPath } from "@lectern/core"
import { Effect } from "effect"
import { matchesEtag } from "../messages/etag.ts"
import { toResponse, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"

/** Creates the route that serves the documents of OpenAPI specs. */
export const makeSpecDocuments = Effect.map(
  OpenApiSpecs,
  (specs) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const [path] = request.url.split("?", 1)
      const [id = "", ...rest] = path!.slice(specsPath.length).split("/")
      if (rest.length > 0) return Effect.succeed(unknownPath())
      return specs.getDocument({ version: id }).pipe(
        Effect.map((version): ApiResponse => {
          if (version === undefined) return unknownPath()
          const etag = `"${version.hash}"`
          const headers = {
            etag,
            "cache-control": version.isImmutable
              ? "private, max-age=31536000, immutable"
              : "private, no-cache",
            "content-security-policy": "default-src 'none'; sandbox",
            "cross-origin-resource-policy": "cross-origin",
            "access-control-allow-origin": "*",
            "x-content-type-options": "nosniff"
          }
          const cachedTag = request.header("if-none-match")
          if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, headers)
          return {
            status: 200,
            headers: { ...headers, "content-type": version.contentType },
            body: version.document
          }
        }),
        Effect.catch((error) =>
          Effect.succeed(error._tag === "InvalidInput" ? unknownPath() : toResponse(error))
        )
      )
    }
)
