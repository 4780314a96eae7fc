/** The locks of commands: each command runs in one transaction, which its locks cover. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Lock } from "@lectern/core"
import { makeLockingStorage, type RecordedTransaction } from "@lectern/harness"
import { callOperations } from "@lectern/harness/operations"
import { expect, it } from "vitest"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

const golden = fileURLToPath(new URL("locks.txt", import.meta.url))

const describeLock = (lock: Lock): string =>
  `${lock.mode} ${lock.kind}${"row" in lock ? ` of ${lock.row.table.name}` : ""}`

it("the locks of every command cover its queries", async () => {
  let take = (): ReadonlyArray<RecordedTransaction> => []
  const world = await createFaultyWorld(undefined, {
    wrapStorage: (storage) => {
      const store = makeLockingStorage(storage)
      take = store.takeTransactions
      return store.layer
    }
  })
  try {
    const host = sceneHostOf(world)
    const lines: Array<string> = []
    await callOperations(host, async ({ id }, call) => {
      take()
      await host.call(call.method, call.address, call.body)
      const transactions = take()
      if (transactions.length === 0) return
      const described = transactions.map((transaction) =>
        transaction.isolation === "locked"
          ? transaction.locks.map(describeLock).join(", ") || "no lock"
          : "serializable"
      )
      lines.push(`${id}  ${described.join("; ")}`)
    })
    const text = `${lines.join("\n")}\n`
    if (process.env.LECTERN_UPDATE_GOLDEN === "1") writeFileSync(golden, text)
    const hint =
      "A command that is `serializable` after another entry is not covered by its locks. If the change is intended, run " +
      "`LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/http/test/locks.test.ts`, and review the diff."
    expect(existsSync(golden) ? readFileSync(golden, "utf8") : "", hint).toBe(text)
  } finally {
    await world.close()
  }
})
