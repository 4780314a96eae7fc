/** Runs the example of transactions of hosts in both databases. */
import { createTestDatabase } from "@lectern/harness/postgres"
import { expect, inject, it } from "vitest"
import {
  createWithShelf,
  openInPostgres,
  openInSqlite,
  type Projects
} from "../../../examples/host-transaction.ts"

const stores: ReadonlyArray<readonly [string, () => Promise<Projects>]> = [
  ["PostgreSQL", async () => openInPostgres(await createTestDatabase(inject("postgres")))],
  ["SQLite", () => openInSqlite(":memory:")]
]

it.each(stores)("rows of the host and of the workspace are stored together in %s", async (_, open) => {
  const projects = await open()
  try {
    const { administration } = projects.workspace
    const ada = await administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await administration.createOrganization({
      administrator: ada,
      input: { title: "Acme" }
    })
    const titles = async () => {
      const { items } = await projects.workspace.as(ada).spaces.list({ organization })
      return items.map(({ title }) => title).toSorted()
    }
    await projects.create(ada, organization, "Otters")
    await expect(projects.create(ada, organization, "Otters")).rejects.toThrow(/unique/i)
    await expect(projects.create("none", organization, "Beavers")).rejects.toThrow()
    expect([await projects.names(), await titles()]).toEqual([["Otters"], ["Otters"]])
    await createWithShelf(projects, ada, organization, "none")
    expect(await titles()).toEqual(["Notes", "Otters"])
  } finally {
    await projects.close()
  }
})
