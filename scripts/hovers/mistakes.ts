/** Frequent mistakes in these calls, whose errors are in `golden.md`. */
import { createClient } from "@lectern/client"
import { createWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"

const workspace = createWorkspace({ store: sqlite("docs.db") })
await workspace.administration.createUser({ email: "ada@example.com" })
await workspace.as("ada").spaces.create({ input: { title: "Handbook" } })
await workspace.as("ada").spaces.crate({})
await workspace.as("ada").content.edit({ content: "space", input: { changes: [] } })
await workspace.transaction({}, async () => {})
toNodeListener(workspace, { prefixes: "/docs-api" })
const client = createClient({ baseUrl: "https://docs.example.com" })
await client.spaces.getSpaceById({ spaceId: "s" })
