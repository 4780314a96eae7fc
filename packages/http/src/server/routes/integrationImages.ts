/** Serves the images of integrations. Their URLs contain their hash and need no token. */
import { assetsPath, Integrations } from "@lectern/core"
import { Effect } from "effect"
import { toResponse, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** Creates the route that serves the images of integrations. */
export const makeIntegrationImages = Effect.map(
  Integrations,
  (integrations) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const [path] = request.url.split("?", 1)
      const [name = "", hash = "", ...rest] = path!.slice(assetsPath.length).split("/")
      if (rest.length > 0 || !/^[0-9a-f]{64}$/.test(hash)) return Effect.succeed(unknownPath())
      return integrations.getImage({ integration: name, hash }).pipe(
        Effect.map(
          (image): ApiResponse =>
            image === undefined
              ? unknownPath()
              : {
                  status: 200,
                  headers: {
                    "content-type": image.contentType,
                    "cache-control": "public, max-age=31536000, immutable",
                    "content-security-policy": "default-src 'none'; sandbox",
                    "cross-origin-resource-policy": "cross-origin",
                    "x-content-type-options": "nosniff"
                  },
                  body: image.bytes
                }
        ),
        Effect.catch((error) =>
          Effect.succeed(error._tag === "InvalidInput" ? unknownPath() : toResponse(error))
        )
      )
    }
)
