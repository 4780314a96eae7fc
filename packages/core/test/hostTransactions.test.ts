/** Transactions of a host on a store without a connection to share. */
import { createWorkspace } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { expect, it, onTestFinished } from "vitest"

it("stores the operations of several users together, without a connection", async () => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer() })
  onTestFinished(() => workspace.dispose())
  const { administration } = workspace
  const ada = await administration.createUser({ input: { email: "ada@example.com" } })
  const bob = await administration.createUser({ input: { email: "bob@example.com" } })
  const organization = await administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const create = (isKept: boolean) =>
    workspace.transaction({ organizations: [organization] }, async (tx) => {
      expect(tx.connection).toBeUndefined()
      await tx.administration.setMember({ organization, user: bob, input: { role: "create" } })
      await tx.as(bob).spaces.create({ organization, input: { title: "By Bob" } })
      await tx.as(ada).spaces.create({ organization, input: { title: "By Ada" } })
      if (!isKept) throw new Error("The host has changed its mind.")
    })
  const titles = async () =>
    (await workspace.as(ada).spaces.list({ organization })).items.map(({ title }) => title).toSorted()
  await expect(create(false)).rejects.toThrow("changed its mind")
  expect(await titles()).toEqual([])
  await expect(workspace.as(bob).spaces.list({ organization })).rejects.toThrow()
  await create(true)
  expect(await titles()).toEqual(["By Ada", "By Bob"])
})
