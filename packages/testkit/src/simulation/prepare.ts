/** Creates the first resources of a simulation. */
import { Effect } from "effect"
import type { CallData } from "./calls.ts"
import { makeKnownResources } from "./mix/KnownResources.ts"
import { clientCount } from "./plan.ts"
import { combineSeeds, makeSeededRandom } from "./random/SeededRandom.ts"
import { callKind, command, idOf, kindsByName, observe, type World } from "./World.ts"

/** The kinds of calls that create the first resources of an organization. */
export const firstKinds = [
  "Collections.create",
  "Spaces.create",
  "Spaces.create",
  "Content.edit: insert a page",
  "Content.edit: insert a page",
  "ChangeRequests.create",
  "ChangeRequests.create",
  "Comments.create",
  "Comments.createReply",
  "Webhooks.create",
  "Teams.create",
  "Sites.create",
  "SignIns.createLink"
]

const usersPerOrganization = clientCount / 2

/** Creates two organizations with their first resources. */
export const prepare = (world: World): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const name of ["Otters", "Herons"]) {
      const operator = (operation: string, parameters: CallData["parameters"]) =>
        observe(world, 0, { operation, parameters, user: undefined }, command)
      const users: Array<string> = []
      const emails = Array.from(
        { length: usersPerOrganization },
        (_, index) => `${name}.${index}@example.com`
      )
      for (const email of emails) {
        users.push(idOf(yield* operator("Administration.createUser", { input: { email } })))
      }
      const organization = idOf(
        yield* operator("Administration.createOrganization", {
          administrator: users[0],
          input: { title: name }
        })
      )
      for (const user of users.slice(1)) {
        yield* operator("Administration.setMember", { organization, user, input: { role: "admin" } })
      }
      const known = makeKnownResources(organization, users, emails)
      world.organizations.push(known)
      for (const [index, kind] of firstKinds.entries()) {
        const random = makeSeededRandom(combineSeeds(world.plan.seed, 2, index))
        yield* callKind(world, known, users[0]!, kindsByName.get(kind)!, random, 0)
      }
      for (const user of users) {
        const random = makeSeededRandom(combineSeeds(world.plan.seed, 6))
        yield* callKind(world, known, user, kindsByName.get("Tokens.create")!, random, 0)
      }
    }
  })
