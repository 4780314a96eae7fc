/** Tests a function of a host on an in-memory workspace, and on a store into which the test injects a fault. */
import { createWorkspace } from "@lectern/core"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { expect, it } from "vitest"
import { createHandbook } from "./welcome.ts"

it("creates a handbook with a welcome page", async () => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer() })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const space = await createHandbook(workspace, ada, organization, "Otters")
  const { items } = await workspace.as(ada).search.searchSpace({ space, input: { query: "hello" } })
  expect(items.map(({ title }) => title)).toEqual(["Welcome"])
  await workspace.dispose()
})

it("removes the handbook when its page cannot be written", async () => {
  const storage = FaultyStorage.make(MemoryStorage.layer())
  const workspace = createWorkspace({ storage: storage.layer })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  storage.inject(Fault.fail(Fault.at.table("outlines")))
  await expect(createHandbook(workspace, ada, organization, "Otters")).rejects.toMatchObject({
    _tag: "StorageUnavailable"
  })
  expect((await workspace.as(ada).spaces.list({ organization })).items).toEqual([])
  await workspace.dispose()
})
