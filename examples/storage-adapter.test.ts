import { createWorkspace } from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { storageConformance } from "@lectern/testkit/conformance"
import { expect, it } from "vitest"
import { measuredStorage } from "./storage-adapter.ts"

storageConformance("The store of a third party", (tables) =>
  measuredStorage(MemoryStorage.layer(tables), () => {})
)

it("a workspace runs on the store of a third party, which measures its operations", async () => {
  const measured = new Set<string>()
  const storage = measuredStorage(sqlite(":memory:"), (operation, table, durationMs) => {
    expect(durationMs).toBeGreaterThanOrEqual(0)
    measured.add(`${operation} ${table}`)
  })
  const workspace = createWorkspace({ storage })
  try {
    const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: ada,
      input: { title: "Acme" }
    })
    await workspace.as(ada).spaces.create({ organization, input: { title: "Handbook" } })
    expect([...measured]).toEqual(expect.arrayContaining(["insert users", "insert spaces"]))
  } finally {
    await workspace.dispose()
  }
})
