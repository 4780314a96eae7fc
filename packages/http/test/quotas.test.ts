/** Quotas of organizations: the numbers of spaces and members. */
import {
  Administration,
  ChangeRequests,
  Collections,
  Content,
  type ContentOf,
  CurrentUser,
  type EditedPage,
  Invites,
  OrganizationQuotas,
  Organizations,
  PageId,
  type Quota,
  Spaces,
  UserId
} from "@lectern/core"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect, Exit, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { runCommand } from "./processes.ts"
import { ruleStores, temporaryFolder } from "./stores.ts"

const messageOf = (exit: Exit.Exit<unknown, unknown>): string | undefined =>
  Exit.isSuccess(exit)
    ? undefined
    : (/The organization has [^"]*?quota\./.exec(JSON.stringify(exit.cause))?.[0] ?? String(exit.cause))

const pageOf = (change: EditedPage | undefined): PageId => {
  if (change?.object !== "created_page") throw new Error("No page was created.")
  return PageId.make(change.page.id)
}

describe("a quota", () => {
  for (const { name, make } of ruleStores) {
    it(`is exact for concurrent commands, and rejects with its limit, on ${name}`, async () => {
      const storage = Layer.merge(
        await make(),
        Layer.succeed(OrganizationQuotas, { default: { spaces: 5, members: 3 }, organizations: new Map() })
      )
      const core = makeCoreApi(storage)
      const program = Effect.gen(function* () {
        const administration = yield* Administration
        const user = UserId.make(yield* administration.createUser({ input: { email: "ada@example.com" } }))
        const create = (title: string) =>
          administration.createOrganization({ administrator: user, input: { title } })
        const [organization, other] = [yield* create("Limited"), yield* create("Other")]
        const spaces = yield* Spaces
        const as = CurrentUser.provide(user)
        const created = yield* Effect.forEach(
          Array.from({ length: 9 }),
          () => Effect.exit(as(spaces.create({ organization, input: {} }))),
          { concurrency: "unbounded" }
        )
        expect(created.filter(Exit.isSuccess).length).toBe(5)
        expect(messageOf(created.find(Exit.isFailure)!)).toBe(
          "The organization has 5 of at most 5 spaces. Delete spaces and wait until the trash is emptied, or ask the operator of the server for a higher quota."
        )
        const [space] = created.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))
        expect(messageOf(yield* Effect.exit(as(spaces.duplicate({ space: space!.id }))))).toContain(
          "5 of at most 5"
        )

        const collection = yield* as(
          (yield* Collections).create({ organization: other, input: { title: "Moved" } })
        )
        const moved = yield* as(spaces.create({ organization: other, input: { parent: collection.id } }))
        for (const transfer of [
          spaces.transfer({ space: moved.id, input: { organization } }),
          (yield* Collections).transfer({ collection: collection.id, input: { organization } })
        ]) {
          expect(
            messageOf(yield* Effect.exit(as(transfer as Effect.Effect<unknown, unknown, CurrentUser>)))
          ).toContain("5 of at most 5")
        }

        const invite = (...emails: ReadonlyArray<string>) =>
          Effect.flatMap(Invites, (invites) =>
            Effect.exit(
              as(
                invites.inviteByEmail({
                  organization,
                  input: { emails, role: "read" }
                } as never) as Effect.Effect<unknown, unknown, CurrentUser>
              )
            )
          )
        expect(messageOf(yield* invite("a@example.com", "b@example.com", "c@example.com"))).toContain(
          "1 of at most 3 members, and 3 more were requested"
        )
        expect(Exit.isSuccess(yield* invite("a@example.com", "b@example.com"))).toBe(true)
        expect(messageOf(yield* invite("c@example.com"))).toContain("3 of at most 3 members")
        expect(yield* administration.readUsage({ organization })).toEqual({ spaces: 5, members: 3, bytes: 0 })
      })
      try {
        await core.runtime.runPromise(
          Effect.provideService(program, Clock.Clock, core.clock) as Effect.Effect<void>
        )
      } finally {
        await core.close()
      }
    })
  }
})

describe("a quota of bytes", () => {
  for (const { name, make } of ruleStores) {
    it(`counts every version of Markdown and files, in spaces and change requests, on ${name}`, async () => {
      const limits = { default: {}, organizations: new Map<string, Quota>() }
      const core = makeCoreApi(Layer.merge(await make(), Layer.succeed(OrganizationQuotas, limits)))
      const program = Effect.gen(function* () {
        const administration = yield* Administration
        const user = UserId.make(yield* administration.createUser({ input: { email: "ada@example.com" } }))
        const create = (title: string) =>
          administration.createOrganization({ administrator: user, input: { title } })
        const [organization, other] = [yield* create("Limited"), yield* create("Other")]
        limits.organizations.set(organization, { bytes: 1000 })
        const as = CurrentUser.provide(user)
        const [spaces, content, changeRequests] = [yield* Spaces, yield* Content, yield* ChangeRequests]
        const space = yield* as(spaces.create({ organization, input: {} }))
        const used = Effect.map(administration.readUsage({ organization }), ({ bytes }) => bytes)
        const insert = (target: ContentOf, length: number, letter: string) =>
          as(
            content.edit({
              content: target,
              input: {
                changes: [
                  { operation: "insert_page", title: letter, document: { markdown: letter.repeat(length) } }
                ]
              }
            })
          )
        const target = { space: space.id }
        const { changes } = yield* insert(target, 300, "a")
        expect(yield* used).toBe(300)
        const page = pageOf(changes[0])
        const update = (length: number) =>
          as(
            content.edit({
              content: target,
              input: {
                changes: [{ operation: "update_page", page, document: { markdown: "é".repeat(length) } }]
              }
            })
          )
        yield* update(100)
        expect(yield* used).toBe(500)
        yield* as(content.edit({ content: target, input: { changes: [{ operation: "delete_page", page }] } }))
        expect(yield* used).toBe(500)

        const request = yield* as(changeRequests.create({ space: space.id, input: {} }))
        const proposed = { space: space.id, changeRequest: request.id }
        yield* insert(proposed, 400, "b")
        expect(yield* used).toBe(900)
        expect(messageOf(yield* Effect.exit(insert(target, 101, "c")))).toBe(
          "The organization has 900 of at most 1000 bytes of content, and 101 more were requested. Delete spaces and wait until the trash is emptied, or ask the operator of the server for a higher quota."
        )
        yield* as(changeRequests.merge(proposed))
        expect(yield* used).toBe(900)
        yield* insert(target, 100, "c")
        expect(yield* used).toBe(1000)

        const foreign = yield* as(spaces.create({ organization: other, input: {} }))
        yield* insert({ space: foreign.id }, 1, "d")
        expect(
          messageOf(yield* Effect.exit(as(spaces.transfer({ space: foreign.id, input: { organization } }))))
        ).toContain("1000 of at most 1000 bytes of content")
        expect(messageOf(yield* Effect.exit(as(spaces.duplicate(target))))).toContain("of at most 1000")

        limits.organizations.set(organization, {})
        const copy = yield* as(spaces.duplicate(target))
        expect(yield* used).toBeGreaterThan(1000)
        expect(yield* content.countSpaces).toBe(1)
        // The copy has the last versions of two pages.
        expect(yield* used).toBe(1500)
        expect(yield* as((yield* Organizations).getUsage({ organization }))).toEqual({
          object: "organization-usage",
          organization,
          spaces: { used: 2 },
          members: { used: 1 },
          bytes: { used: 1500 }
        })
        expect(copy.id).not.toBe(space.id)
      })
      try {
        await core.runtime.runPromise(
          Effect.provideService(program, Clock.Clock, core.clock) as Effect.Effect<void>
        )
      } finally {
        await core.close()
      }
    })
  }
})

it("prints the usage of an organization, with its own quota", async () => {
  const url = `sqlite:${temporaryFolder()}/lectern.db`
  const user = await runCommand(["user", "create", "ada@example.com", "--database-url", url])
  expect(user.code).toBe(0)
  const created = await runCommand([
    "org",
    "create",
    "Acme",
    "--admin",
    "ada@example.com",
    "--database-url",
    url
  ])
  const id = created.output.trim()
  const quotas = `spaces=5,members=2;${id}:spaces=7`
  const { output } = await runCommand([
    "org",
    "usage",
    id,
    "--organization-quotas",
    quotas,
    "--database-url",
    url
  ])
  expect(output).toBe("spaces: 0 of at most 7\nmembers: 1, without a maximum\nbytes: 0, without a maximum\n")
  const wrong = await runCommand([
    "org",
    "usage",
    id,
    "--organization-quotas",
    "spaces=0",
    "--database-url",
    url
  ])
  expect([wrong.code, wrong.errors.includes("--organization-quotas must be spaces=<number>")]).toEqual([
    1,
    true
  ])
})
