/** Each row that a transaction changes has one event, also if one call changes several rows. */
import { createWorkspace, EventLog } from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const people = 6

it("is written for each user who is added to a team, and for no user who is in it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.nat(people - 1), { minLength: 1 }), { minLength: 1, maxLength: 4 }),
      async (additions) => {
        const workspace = createWorkspace({ storage: MemoryStorage.layer() })
        try {
          const { administration, runtime } = workspace
          const owner = await administration.createUser({ input: { email: "ada@example.com" } })
          const organization = await administration.createOrganization({
            administrator: owner,
            input: { title: "Acme" }
          })
          const users: Array<string> = []
          for (let index = 0; index < people; index++) {
            const user = await administration.createUser({ input: { email: `user${index}@example.com` } })
            await administration.setMember({ organization, user, input: { role: "read" } })
            users.push(user)
          }
          const { teams } = workspace.as(owner)
          const { id: team } = await teams.create({ organization, input: { title: "Writers" } })
          const readAll = () =>
            runtime.runPromise(Effect.flatMap(EventLog, (log) => Effect.orDie(log.read(0, {}, 1_000))))
          const inTeam = new Set<string>()
          for (const addition of additions) {
            const before = (await readAll()).length
            const add = addition.map((index) => users[index]!)
            const added = add.filter((user) => !inTeam.has(user))
            await teams.updateMembers({ organization, team, input: { add } })
            for (const user of add) inTeam.add(user)
            const written = (await readAll())
              .slice(before)
              .filter(({ type }) => type === "teamMember.created")
            expect(written.map(({ data }) => data.user).toSorted()).toEqual(added.toSorted())
          }
        } finally {
          await workspace.dispose()
        }
      }
    ),
    runs(12)
  ))
