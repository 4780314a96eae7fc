import { makeCountingStorage } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { expect, it } from "vitest"
import { makeWorld, sceneHostOf } from "./support/faultyWorld.ts"

it("every operation sends as many statements as its row in harness/src/operations has", async () => {
  let take = (): ReadonlyArray<string> => []
  const world = await makeWorld(undefined, {
    breakIt: (storage) => {
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
