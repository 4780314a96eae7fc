/** Authorizes programs of others without a browser. */
import { CurrentUser, Programs, UserId } from "@lectern/core"
import { Effect } from "effect"

/** Authorizes a program for a user, and returns the id of the authorization. */
export const authorizeProgram = Effect.fnUntraced(function* (user: string) {
  const programs = yield* Programs
  const input = { program: "scene", name: "Scene (example.com)", permissions: ["space.read"] }
  const authorized = yield* Effect.provideService(programs.authorize({ input }), CurrentUser, {
    id: UserId.make(user)
  })
  return authorized.id
})
