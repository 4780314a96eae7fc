/** Mounts the API of Lectern in a Fastify application, in a scope without Fastify's parsers of bodies. */
import { createWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import fastify from "fastify"

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

  const listener = toNodeListener(workspace, { prefix: "/docs-api" })
  const app = fastify()
  app.get("/titles", async () => {
    const { items } = await workspace.as(ada).spaces.list({ organization })
    return items.map(({ title }) => title)
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null))
    scope.all("/docs-api/*", (request, reply) => {
      reply.hijack()
      listener(request.raw, reply.raw)
    })
  })
  app.addHook("onClose", () => workspace.dispose())
  return { app, organization, secret, close: () => app.close() }
}
