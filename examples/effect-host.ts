/** Mounts the API of Lectern in an Effect application, in addition to routes of its own. Both use the same workspace. */
import { Administration, ApiTokens, CurrentUser, Spaces, Workspace } from "@lectern/core"
import { type HttpMiddleware, layerHttpRouter } from "@lectern/http"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

const workspaceLayer = Workspace.layer.pipe(Layer.provide(SqliteStorage.layer({ filename: ":memory:" })))

/** Creates an administrator with an organization and an API token. */
export const createAdministrator = Effect.gen(function* () {
  const administration = yield* Administration
  const user = yield* administration.createUser({ input: { email: "ada@example.com" } })
  const acme = { administrator: user, input: { title: "Acme" } }
  const organization = yield* administration.createOrganization(acme)
  const { secret } = yield* (yield* ApiTokens).create({ input: { user, label: "The host's front end" } })
  return { user, organization, secret }
})
type Administrator = Effect.Success<typeof createAdministrator>

/** A route of the host, which calls a service of Lectern. */
const titlesRoute = ({ user, organization }: Administrator) =>
  HttpRouter.use((router) =>
    Effect.flatMap(Spaces, (spaces) => {
      const titles = spaces.list({ organization }).pipe(
        CurrentUser.provide(user),
        Effect.map(({ items }) => HttpServerResponse.jsonUnsafe(items.map(({ title }) => title))),
        Effect.orDie
      )
      return router.add("GET", "/titles", titles)
    })
  )

/** Middleware of the host for all requests to Lectern. */
const addPoweredBy: HttpMiddleware = (next) => (request) =>
  Effect.map(next(request), (response) => ({
    ...response,
    headers: { ...response.headers, "x-powered-by": "Acme" }
  }))

const docsApi = layerHttpRouter({ prefix: "/docs-api", middleware: [addPoweredBy] })

/**
 * Creates the application as a web-standard handler. A server in Node runs the same layer with
 * `HttpRouter.serve(layer).pipe(Layer.provide(NodeHttpServer.layer(createServer, { port: 4400 })), Layer.launch)`.
 */
export const makeApp = async () => {
  let administrator: Administrator | undefined
  const routes = Layer.unwrap(
    Effect.map(createAdministrator, (created) => {
      administrator = created
      return Layer.merge(titlesRoute(created), docsApi)
    })
  )
  const app = Layer.provide(routes, workspaceLayer)
  const { handler, dispose } = HttpRouter.toWebHandler(app, { disableLogger: true })
  // The first request builds the layers.
  await handler(new Request("http://host/titles"))
  return { fetch: handler, administrator: administrator!, close: dispose }
}
