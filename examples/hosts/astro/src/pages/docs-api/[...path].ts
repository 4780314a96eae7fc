/** Serves the API under `/docs-api`, for every method. */
import { toWebHandler } from "@lectern/http"
import type { APIRoute } from "astro"
import { workspace } from "../../workspace.ts"

const handler = toWebHandler(workspace, { prefix: "/docs-api" })

export const ALL: APIRoute = ({ request, clientAddress }) =>
  handler(request, { remoteAddress: clientAddress })
