/** Revocations of access, with several processes on one database: each process caches tokens, members and spaces. */

import {
  Administration,
  ApiTokens,
  CurrentUser,
  Members,
  Permissions,
  RecordsAdapter,
  type Role,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { isFastRun, runs } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"
import * as fc from "fast-check"
import { expect, inject, it } from "vitest"
import { withFile } from "../../storage-sqlite/test/support/withFile.ts"
import { uncachedStorage } from "./support/uncachedStorage.ts"

/** A write that grants or revokes access, in one of the processes. */
type Change =
  | { readonly kind: "setMember"; readonly role: Role | null }
  | { readonly kind: "grant"; readonly role: Role | null }
  | { readonly kind: "setLevel"; readonly level: "inherit" | "edit" | null }
  | {
      readonly kind:
        | "removeMember"
        | "revokeToken"
        | "createToken"
        | "removeSpace"
        | "restoreSpace"
        | "rename"
    }

const roles = [null, "read", "edit", "admin"] as const

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant("setMember" as const), role: fc.constantFrom(...roles) }),
  fc.record({ kind: fc.constant("grant" as const), role: fc.constantFrom(...roles) }),
  fc.record({
    kind: fc.constant("setLevel" as const),
    level: fc.constantFrom("inherit" as const, "edit" as const, null)
  }),
  fc.record({
    kind: fc.constantFrom(
      "removeMember" as const,
      "revokeToken" as const,
      "createToken" as const,
      "removeSpace" as const,
      "restoreSpace" as const,
      "rename" as const
    )
  })
)

const store = (filename: string) => SqliteStorage.layer({ filename })

type Storage = Layer.Layer<RecordsAdapter, unknown>

const open = (storage: Storage) => Layer.build(Layer.fresh(Workspace.layer.pipe(Layer.provide(storage))))

type Opened = Effect.Success<ReturnType<typeof open>>

/** Opens a number of processes, which cache, and one that does not. */
const openProcesses = Effect.fnUntraced(function* (storage: Storage, count: number) {
  const reference = yield* open(uncachedStorage(storage))
  const processes = yield* Effect.forEach(Array.from({ length: count }), () => open(storage))
  return { reference, processes }
})

interface Step {
  readonly process: number
  readonly change: Change
}

/** Changes access by one of the processes after the other, and compares what all of them decide with the uncached one. */
const compareDecisions = Effect.fnUntraced(function* (
  { reference, processes }: { readonly reference: Opened; readonly processes: ReadonlyArray<Opened> },
  steps: ReadonlyArray<Step>,
  name: string
) {
  const { owner, user, organization } = yield* Effect.gen(function* () {
    const administration = yield* Administration
    const createUser = (email: string) =>
      Effect.map(administration.createUser({ input: { email } }), (id) => UserId.make(id))
    const owner = yield* createUser(`owner-${name}@example.com`)
    const user = yield* createUser(`user-${name}@example.com`)
    const organization = yield* administration.createOrganization({
      administrator: owner,
      input: { title: "One" }
    })
    return { owner, user, organization }
  }).pipe(Effect.provide(reference))
  const asOwner = CurrentUser.provide(owner)
  const { id: space } = yield* Effect.flatMap(Spaces, (spaces) =>
    asOwner(spaces.create({ organization }))
  ).pipe(Effect.provide(reference))
  const issue = Effect.flatMap(ApiTokens, (tokens) => tokens.create({ input: { user, label: "Test" } }))
  let current = yield* Effect.provide(issue, reference)

  const apply = Effect.fnUntraced(function* (change: Change) {
    const spaces = yield* Spaces
    switch (change.kind) {
      case "setMember":
        return yield* (yield* Administration).setMember({
          organization,
          user,
          input: { role: change.role }
        })
      case "removeMember":
        return yield* asOwner((yield* Members).remove({ organization, user }))
      case "grant":
        return yield* asOwner(
          (yield* Permissions).updateUser({ content: { space }, user, input: { role: change.role } })
        )
      case "setLevel":
        return yield* asOwner(spaces.update({ space, input: { defaultLevel: change.level } }))
      case "revokeToken":
        return yield* (yield* ApiTokens).revoke({ token: current.token.id })
      case "createToken":
        current = yield* issue
        return undefined
      case "removeSpace":
        return yield* asOwner(spaces.remove({ space }))
      case "restoreSpace":
        return yield* asOwner(spaces.restore({ space }))
      case "rename":
        return yield* asOwner(spaces.update({ space, input: { title: "Renamed" } }))
    }
  })

  /** The result of a request: its user authenticates, and reads and lists spaces. */
  const request = Effect.gen(function* () {
    const identity = yield* (yield* ApiTokens).authenticate(current.secret)
    const spaces = yield* Spaces
    const as = Effect.provideService(CurrentUser, identity)
    return [
      yield* Effect.exit(as(spaces.get({ space }))),
      yield* Effect.exit(as(spaces.list({ organization })))
    ]
  }).pipe(Effect.exit)

  for (const { process, change } of steps) {
    yield* Effect.exit(Effect.provide(apply(change), processes[process % processes.length]!))
    const expected = yield* Effect.provide(request, reference)
    // Twice, so that the second request reads the entries that the first has cached.
    for (const context of [...processes, ...processes]) {
      expect(yield* Effect.provide(request, context)).toStrictEqual(expected)
    }
  }
})

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({ process: fc.nat(2), change: changes }),
  { minLength: 1, maxLength: 12 }
)

it("every process decides on access as one without a cache, after each change of access by another", () =>
  fc.assert(
    fc.asyncProperty(steps, (steps) =>
      withFile((filename) =>
        openProcesses(store(filename), 2).pipe(
          Effect.flatMap((opened) => compareDecisions(opened, steps, "1")),
          Effect.scoped,
          Effect.runPromise
        )
      )
    ),
    runs(40)
  ))

it.skipIf(isFastRun)(
  "on PostgreSQL, each of three processes decides on access as one without a cache",
  async () => {
    const url = await createTestDatabase(inject("postgres"))
    const storage = PgStorage.layer({ url: Redacted.make(url), maxConnections: 4 })
    await openProcesses(storage, 3).pipe(
      Effect.flatMap((opened) => {
        let count = 0
        return Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, (steps) =>
              Effect.runPromise(compareDecisions(opened, steps, String(count++)))
            ),
            runs(20)
          )
        )
      }),
      Effect.scoped,
      Effect.runPromise
    )
  },
  240_000
)

/** A store that runs an effect once, after the next read of grants. */
const interruptedAfterGrants = (filename: string, next: { effect: Effect.Effect<unknown> | undefined }) =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        find: (table, options) =>
          Effect.tap(adapter.find(table, options), () => {
            const { effect } = next
            if (effect === undefined || table.name !== "grants") return Effect.void
            next.effect = undefined
            return effect
          })
      })
    )
  ).pipe(Layer.provide(store(filename)))

it("a request that loads its grants before their revocation leaves nothing in the cache for the next one", () =>
  withFile((filename) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const next: { effect: Effect.Effect<unknown> | undefined } = { effect: undefined }
          const server = yield* open(interruptedAfterGrants(filename, next))
          const other = yield* open(store(filename))
          const { organization, user, revoke } = yield* Effect.gen(function* () {
            const administration = yield* Administration
            const owner = UserId.make(
              yield* administration.createUser({ input: { email: "owner@example.com" } })
            )
            const user = UserId.make(
              yield* administration.createUser({ input: { email: "user@example.com" } })
            )
            const organization = yield* administration.createOrganization({
              administrator: owner,
              input: { title: "One" }
            })
            yield* administration.setMember({ organization, user, input: { role: "read" } })
            const asOwner = CurrentUser.provide(owner)
            const { id: space } = yield* asOwner((yield* Spaces).create({ organization }))
            yield* asOwner((yield* Spaces).update({ space, input: { defaultLevel: null } }))
            const permissions = yield* Permissions
            const setRole = (role: Role | null) =>
              asOwner(permissions.updateUser({ content: { space }, user, input: { role } }))
            yield* setRole("read")
            return { organization, user, revoke: Effect.orDie(setRole(null)) }
          }).pipe(Effect.provide(other))
          const listSpaces = Effect.flatMap(Spaces, (spaces) =>
            CurrentUser.provide(user)(spaces.list({ organization }))
          ).pipe(Effect.provide(server))

          next.effect = revoke
          expect((yield* listSpaces).items).toHaveLength(1)
          expect((yield* listSpaces).items).toHaveLength(0)
        })
      )
    )
  ))
