/** The workspace of a database as the target of a migration: its API in this process, as one of its administrators. */
import {
  Administration,
  Authenticator,
  CurrentUser,
  Members,
  type OrganizationId,
  type UserId
} from "@lectern/core"
import { makeDispatcher, makeWebHandler } from "@lectern/http/server"
import { Effect } from "effect"
import { handlerTransport } from "../migrate/Transport.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import { readAll } from "./people.ts"

/** The maximum size of the body of a request, in bytes: OpenAPI specs are in it. */
const bodyLimit = 64 * 1024 * 1024

/** Finds the organization that is copied to: the given one, or the only one. */
const findOrganization = Effect.fnUntraced(function* (given: string | undefined) {
  const { listOrganizations } = yield* Administration
  const all = yield* readAll(listOrganizations)
  const found =
    given === undefined ? (all.length === 1 ? all[0] : undefined) : all.find(({ id }) => id === given)
  if (found !== undefined) return found.id
  return yield* new ConfigurationError({
    message:
      given !== undefined
        ? `The database has no organization ${given}. \`lectern org list\` prints the ids.`
        : all.length === 0
          ? "The database has no organization. Create one with `lectern init`."
          : "The database has several organizations: choose one with --to-organization. `lectern org list` prints the ids."
  })
})

/** Finds the oldest administrator of an organization. */
const findAdministrator = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { listUsers } = yield* Administration
  const members = yield* Members
  for (const { id } of yield* readAll(listUsers)) {
    const member = yield* Effect.result(members.get({ organization, user: id }).pipe(CurrentUser.provide(id)))
    if (member._tag === "Success" && member.success.role === "admin") return id
  }
  return yield* new ConfigurationError({
    message: `The organization ${organization} has no administrator. Create one with \`lectern user create\`.`
  })
})

/** Opens the API of the workspace in this process. */
export const openLocalTarget = Effect.fnUntraced(function* (givenOrganization: string | undefined) {
  const organization = yield* findOrganization(givenOrganization)
  const user: UserId = yield* findAdministrator(organization)
  const dispatch = yield* Effect.provideService(makeDispatcher({}), Authenticator, {
    authenticate: () => Effect.succeed({ id: user })
  })
  const context = yield* Effect.context<never>()
  const handle = makeWebHandler(dispatch, Effect.runPromiseWith(context), { bodyLimit })
  return { organization: organization as string, transport: handlerTransport(handle) }
})
