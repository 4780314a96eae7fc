/** A host's own unit tests: on a workspace in memory, which is as real as any, and on a store that fails when told to. */
import { createWorkspace } from "@lectern/core"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { expect, it } from "vitest"
import { welcome } from "./welcome.ts"

it("a new team finds a handbook that says hello", async () => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer() })
  const ada = await workspace.administration.createUser({ email: "ada@example.com" })
  const organization = await workspace.administration.createOrganization({ title: "Acme" }, ada)
  const space = await welcome(workspace, ada, organization, "Otters")
  const { items } = await workspace.as(ada).search.space(space, { query: "hello" })
  expect(items.map(({ title }) => title)).toEqual(["Welcome"])
  await workspace.dispose()
})

it("a handbook that cannot be written is not left there empty", async () => {
  const storage = FaultyStorage.make(MemoryStorage.layer())
  const workspace = createWorkspace({ storage: storage.layer })
  const ada = await workspace.administration.createUser({ email: "ada@example.com" })
  const organization = await workspace.administration.createOrganization({ title: "Acme" }, ada)
  storage.inject(Fault.fail(Fault.at.table("outlines")))
  await expect(welcome(workspace, ada, organization, "Otters")).rejects.toMatchObject({
    _tag: "StorageUnavailable"
  })
  expect((await workspace.as(ada).spaces.list(organization)).items).toEqual([])
  await workspace.dispose()
})
