/** The number of statements that each operation issues. */
import { makeCountingStorage } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { expect, it } from "vitest"
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
    await callOperations(host, async ({ id }, { method, address, body }) => {
      take()
      await host.call(method, address, body)
      counted[id] = take().length
    })
    expect(counted).toEqual(Object.fromEntries(operations.map(({ id, statements }) => [id, statements])))
  } finally {
    await world.close()
  }
})
