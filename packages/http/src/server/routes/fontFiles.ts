/** Serves the files of fonts. Their URLs contain their digest and need no token. */
import { CustomFonts } from "@lectern/core"
import { fontFileOf, fontPath, fontsPath, fontTypes } from "@lectern/model/sites"
import { Effect } from "effect"
import { toResponse, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** Creates the route that serves the files of fonts. */
export const makeFontFiles = Effect.map(
  CustomFonts,
  (fonts) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const [path = ""] = request.url.split("?", 1)
      const file = fontFileOf(path)
      const organization = path.slice(fontsPath.length).split("/", 1)[0] ?? ""
      if (file === undefined || path !== fontPath(organization, file)) return Effect.succeed(unknownPath())
      return fonts.getFile({ organization, font: file.font, hash: file.hash }).pipe(
        Effect.map(
          (found): ApiResponse =>
            found?.format !== file.format
              ? unknownPath()
              : {
                  status: 200,
                  headers: {
                    "content-type": fontTypes[found.format],
                    "cache-control": "public, max-age=31536000, immutable",
                    "content-security-policy": "default-src 'none'; sandbox",
                    "cross-origin-resource-policy": "cross-origin",
                    // Browsers request fonts of other origins by CORS, such as for a renderer on another host.
                    "access-control-allow-origin": "*",
                    "x-content-type-options": "nosniff"
                  },
                  body: found.bytes
                }
        ),
        Effect.catch((error) =>
          Effect.succeed(error._tag === "InvalidInput" ? unknownPath() : toResponse(error))
        )
      )
    }
)
