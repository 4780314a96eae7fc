/** Receives the webhooks of Git servers. Their URLs are signed and need no token. The body is not read. */
import { GitSync, gitWebhooksPath, SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { toResponse, unknownMethod, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/**
 * Creates the route that starts an import of the branch of a space. It responds with 202, also to events of other branches:
 * an import of an unchanged branch has no effect. It responds with 404 to invalid signatures.
 */
export const makeGitWebhooks = Effect.map(
  GitSync,
  (sync) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const [path = ""] = request.url.split("?", 1)
      const [space, signature, ...more] = path.slice(gitWebhooksPath.length).split("/")
      if (
        space === undefined ||
        signature === undefined ||
        more.length > 0 ||
        !/^[0-9a-z]{1,64}$/.test(space)
      ) {
        return Effect.succeed(unknownPath())
      }
      if (request.method !== "POST") return Effect.succeed(unknownMethod(request.method, ["POST"]))
      return sync.receiveWebhook.decoded({ space: SpaceId.make(space), signature }).pipe(
        Effect.map(
          (isStarted): ApiResponse =>
            isStarted
              ? { status: 202, headers: { "cache-control": "no-store" }, body: undefined }
              : unknownPath()
        ),
        Effect.catch((error) => Effect.succeed(toResponse(error)))
      )
    }
)
