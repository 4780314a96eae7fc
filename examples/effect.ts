/** Lectern in an Effect application: the services are layers, and the caller is a service too. */
import { Administration, CurrentUser, Spaces, Workspace } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"

const Live = Workspace.layer.pipe(Layer.provide(SqliteStorage.layer({ filename: ":memory:" })))

/** Creates a user, an organization and a space in it. Returns the titles of the organization's spaces. */
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
}).pipe(Effect.provide(Live))
