/**
 * The number of statements that each operation issues in the scene, including authentication. The golden file is committed, so
 * that reviews show changes. A number does not depend on the size of the workspace, except for operations on a subtree of
 * collections or on the tree of pages.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Atomicity, makeCountingStorage } from "@lectern/harness"
import { callOperations } from "@lectern/harness/operations"
import { expect, it, onTestFinished } from "vitest"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

const golden = fileURLToPath(new URL("statements.txt", import.meta.url))

const readGolden = (): ReadonlyMap<string, number> =>
  new Map(
    (existsSync(golden) ? readFileSync(golden, "utf8") : "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" "))
      .map(([id, count]) => [id!, Number(count)])
  )

it("every operation issues the number of statements in statements.txt", async () => {
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
    const expected = readGolden()
    const counted = new Map<string, number>()
    await callOperations(host, async ({ id, polls }, { method, address, body }) => {
      take()
      await host.call(method, address, body)
      const count = take().length
      // A slow machine polls more often than the one that wrote the file.
      counted.set(id, polls === true ? Math.min(count, expected.get(id) ?? count) : count)
    })
    if (process.env.LECTERN_UPDATE_GOLDEN === "1") {
      writeFileSync(golden, [...counted].map(([id, count]) => `${id} ${count}\n`).join(""))
    }
    expect(
      Object.fromEntries(counted),
      "Review each new number: a request waits for its statements. To write them, run " +
        "`LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/http/test/queries.test.ts`."
    ).toEqual(Object.fromEntries(readGolden()))
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
