/** Serves Lectern with a web-standard handler in Hono. Next, Bun, Deno and Workers use the same function. */
import { createWorkspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { Hono } from "hono"

/** Creates the application: a route of its own, and Lectern's API under `/docs-api`. */
export const makeApp = async () => {
  const workspace = createWorkspace({ storage: sqlite(":memory:") })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "The host's front end" } })

  const lectern = toWebHandler(workspace, { prefix: "/docs-api" })
  const app = new Hono()
  app.get("/", (context) => context.text("The host's own page"))
  app.all("/docs-api/*", (context) => lectern(context.req.raw))
  return { app, organization, secret, close: () => workspace.dispose() }
}
