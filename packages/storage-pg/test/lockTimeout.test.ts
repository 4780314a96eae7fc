/** Waits for locks end, within a process and across processes. */
import { RecordsAdapter } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Deferred, Effect, Fiber, ManagedRuntime } from "effect"
import { expect, it } from "vitest"
import { createDatabase } from "./support.ts"

const room = [{ mode: "exclusive", kind: "room", id: "north" }] as const

it("reports Contention if another transaction holds a lock for too long, and serves the next one", async () => {
  const url = await createDatabase()
  const open = () =>
    ManagedRuntime.make(PgStorage.layer({ url, lockTimeoutMs: 200, migrations: createTables([]) }))
  const [ours, theirs] = [open(), open()]
  try {
    const [store, other] = await Promise.all([
      ours.runPromise(RecordsAdapter),
      theirs.runPromise(RecordsAdapter)
    ])
    const wait = (from: typeof store) => Effect.flip(from.lockedTransaction!(room, () => Effect.void))
    const { errors, serializable, names } = await ours.runPromise(
      Effect.gen(function* () {
        const held = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          store.lockedTransaction!(room, () =>
            Effect.andThen(Deferred.succeed(held, undefined), Effect.never)
          )
        )
        yield* Deferred.await(held)
        const errors = [yield* wait(store), yield* wait(other)]
        const serializable = yield* Effect.flip(other.transaction(Effect.void))
        yield* Fiber.interrupt(holder)
        return {
          errors,
          serializable,
          names: yield* other.lockedTransaction!(room, (names) => Effect.succeed([...names]))
        }
      })
    )
    for (const error of errors) {
      expect(error).toMatchObject({
        _tag: "StorageUnavailable",
        reason: "Contention",
        detail:
          "Other writers of the same resource held its lock for longer than 0.2 s. Check for long transactions."
      })
    }
    expect(serializable).toMatchObject({ _tag: "StorageUnavailable", reason: "Contention" })
    expect(names).toEqual(["room:north"])
  } finally {
    await Promise.all([ours.dispose(), theirs.dispose()])
  }
})
