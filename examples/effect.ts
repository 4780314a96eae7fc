/** Lectern in an Effect application: the services are layers, and the caller is a service too. */
import { Administration, CurrentUser, Spaces, Workspace } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"

const Live = Workspace.layer.pipe(Layer.provide(SqliteStorage.layer({ filename: ":memory:" })))

/** Makes somebody, an organization of theirs and a space in it; answers the titles of its spaces. */
export const program = Effect.gen(function* () {
  const administration = yield* Administration
  const ada = yield* administration.createUser({ email: "ada@example.com" })
  const organization = yield* administration.createOrganization({ title: "Acme" }, ada)

  return yield* Effect.gen(function* () {
    const spaces = yield* Spaces
    yield* spaces.create(organization, { title: "Handbook" })
    const { items } = yield* spaces.list(organization)
    return items.map(({ title }) => title)
  }).pipe(CurrentUser.provide(ada))
}).pipe(Effect.provide(Live))
