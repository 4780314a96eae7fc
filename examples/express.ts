/** Embeds Lectern in an Express application, which calls its services and mounts its API under a path. */
import { createWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import express from "express"

/** Creates the application: a route of its own, and Lectern's API under `/docs-api`. */
export const makeApp = async () => {
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: "https://acme.example/docs-api"
  })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "The host's front end" } })

  const app = express()
  app.get("/titles", async (_request, response) => {
    const { items } = await workspace.as(ada).spaces.list({ organization })
    response.json(items.map(({ title }) => title))
  })
  app.use("/docs-api", toNodeListener(workspace))
  return { app, organization, secret, close: () => workspace.dispose() }
}
