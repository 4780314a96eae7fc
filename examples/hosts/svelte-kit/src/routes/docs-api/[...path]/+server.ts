/** Serves the API under `/docs-api`, for every method. */
import { toWebHandler } from "@lectern/http"
import type { RequestHandler } from "@sveltejs/kit"
import { workspace } from "../../../lib/server/workspace.ts"

const handler = toWebHandler(workspace, { prefix: "/docs-api" })

export const fallback: RequestHandler = ({ request, getClientAddress }) =>
  handler(request, { remoteAddress: getClientAddress() })
