/** The number of statements that each operation issues. */
import { Atomicity, makeCountingStorage } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { expect, it, onTestFinished } from "vitest"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

it("every operation issues the number of statements in its row in harness/src/operations", async () => {
  let take = (): ReadonlyArray<string> => []
  const world = await createFaultyWorld(undefined, {
    wrapStorage: (storage) => {
      const store = makeCountingStorage(storage)
      take = store.takeVerbs
      return store.layer
    }
  })
  try {
    const host = sceneHostOf(world)
    const counted: Record<string, number> = {}
    await callOperations(host, async ({ id, polls, statements }, { method, address, body }) => {
      take()
      await host.call(method, address, body)
      const count = take().length
      counted[id] = polls === true ? Math.min(count, statements) : count
    })
    expect(counted).toEqual(Object.fromEntries(operations.map(({ id, statements }) => [id, statements])))
  } finally {
    await world.close()
  }
})

it("an idempotency key adds three statements and the statements of its authorization, which a repetition issues again", async () => {
  let take = (): ReadonlyArray<string> => []
  const world = await createFaultyWorld(undefined, {
    wrapStorage: (storage) => {
      const store = makeCountingStorage(storage)
      take = store.takeVerbs
      return store.layer
    }
  })
  onTestFinished(() => world.close())
  const count = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const path = `/v1/orgs/${world.organization}/spaces`
    take()
    await Atomicity.runToEnd(world, world.send({ method: "POST", path, body: {}, headers }))
    return take().length
  }
  const read = async (): Promise<number> => {
    take()
    await Atomicity.runToEnd(world, world.send({ method: "GET", path: "/v1/user" }))
    return take().length
  }
  const without = await count({})
  // The membership with its grants is loaded again after the command, for each of its two authorizations.
  const authorization = 4
  expect(await count({ "idempotency-key": "a" })).toBe(without + 3 + authorization)
  // The key is read after authentication, and the command is not executed.
  expect(await count({ "idempotency-key": "a" })).toBeLessThanOrEqual((await read()) + authorization)
})
