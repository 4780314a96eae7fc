/** The workspace of the application. The development server loads modules repeatedly, and must not open it again. */
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"

const shared = globalThis as typeof globalThis & { lectern?: EmbeddedWorkspace }

shared.lectern ??= createWorkspace({
  storage: sqlite(":memory:"),
  publicUrl: "https://acme.example/docs-api"
})

export const workspace = shared.lectern
