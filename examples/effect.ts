/** Uses Lectern in an Effect application: a layer provides the services, and `CurrentUser` is the caller. */
import { Administration, CurrentUser, Spaces, Workspace } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"

const workspaceLayer = Workspace.layer.pipe(Layer.provide(SqliteStorage.layer({ filename: ":memory:" })))

/** Creates a user, an organization and a space, and returns the titles of the organization's spaces. */
export const program = Effect.gen(function* () {
  const administration = yield* Administration
  const ada = yield* administration.createUser({ input: { email: "ada@example.com" } })
  const organization = yield* administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })

  return yield* Effect.gen(function* () {
    const spaces = yield* Spaces
    yield* spaces.create({ organization, input: { title: "Handbook" } })
    const { items } = yield* spaces.list({ organization })
    return items.map(({ title }) => title)
  }).pipe(CurrentUser.provide(ada))
}).pipe(Effect.provide(workspaceLayer))
