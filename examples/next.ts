/** Exports the handlers of the route `app/docs-api/[...path]/route.ts` of a Next.js application. */
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"

/** The development server loads modules repeatedly, and must not open the workspace again. */
const shared = globalThis as typeof globalThis & { lectern?: EmbeddedWorkspace }

shared.lectern ??= createWorkspace({
  storage: sqlite(":memory:"),
  publicUrl: "https://acme.example/docs-api"
})

export const workspace = shared.lectern

const handler = toWebHandler(workspace, { prefix: "/docs-api" })

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT
}
