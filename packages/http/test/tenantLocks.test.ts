/** An open transaction of one organization on PostgreSQL: no operation in another organization waits for it. */

import { addressOf, buildScene, operations, paramsIn } from "@lectern/harness/operations"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { Redacted } from "effect"
import pg from "pg"
import { expect, inject, it } from "vitest"
import { createLocking } from "../../storage-pg/src/locking.ts"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

/** The time after which a waiting transaction fails with 503, in milliseconds. */
const lockTimeoutMs = 1_000

/** The share of the operations that succeed, although earlier ones have changed the scene. */
const minimumShare = 0.7

/** Begins a transaction that holds locks exclusively, as a command of Lectern does. Returns the function that ends it. */
const holdLocks = async (url: string, names: ReadonlyArray<string>) => {
  const client = new pg.Client(url)
  await client.connect()
  const { begin, acquire, gateOfLocked } = createLocking(undefined, lockTimeoutMs)
  await client.query(begin)
  const locks = names.map((name) => `SELECT '${name}' COLLATE "C" AS "name", TRUE AS "exclusive"`)
  await client.query(acquire(gateOfLocked('"lecternMigrations"'), locks.join(" UNION ALL ")))
  return () => client.end()
}

it("no operation waits for a transaction of another organization", async () => {
  const url = await createTestDatabase(inject("postgres"))
  const world = await createFaultyWorld(undefined, {
    wrapStorage: () => PgStorage.layer({ url: Redacted.make(url), lockTimeoutMs })
  })
  try {
    const host = sceneHostOf(world)
    const scene = await buildScene(host)
    const release = await holdLocks(url, ["organization:another", "space:another", "visits:another"])
    const waited: Array<string> = []
    let succeeded = 0
    // Removals come last, so that most operations find their resources.
    const inOrder = operations.toSorted(
      (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE")
    )
    for (const operation of inOrder) {
      const full = operation.full?.(scene) ?? {}
      const path = addressOf(operation, { ...paramsIn(operation, scene), ...full.params })
      const body = full.body ?? operation.body?.(scene)
      try {
        await operation.prepare?.(scene, host.call)
        await host.call(operation.method, path, body)
        succeeded++
      } catch (error) {
        if (String(error).includes(" returns 503 ")) waited.push(`${operation.id}: ${String(error)}`)
      }
    }
    expect(waited).toEqual([])
    expect(succeeded / operations.length).toBeGreaterThan(minimumShare)
    // The jobs that the operations have enqueued.
    await host.work()
    await release()
  } finally {
    await world.close()
  }
}, 240_000)
