/** Helpers for tests that run Lectern in a database with tables of a host application. */
import { createWorkspace, type RecordsAdapter } from "@lectern/core"
import type { Layer } from "effect"
import { expect } from "vitest"

/** Table names that Lectern, its migration history and the conformance tests use, too. */
export const hostTables = [
  "users",
  "spaces",
  "comments",
  "searchParts",
  "lecternMigrations",
  "conformancePeople",
  "conformanceFolders"
] as const

/** Returns statements that create the tables of a host, with an index and two rows each. */
export const createHostTables = (table = (name: string): string => `"${name}"`): ReadonlyArray<string> =>
  hostTables.flatMap((name) => [
    `CREATE TABLE ${table(name)} ("id" INTEGER PRIMARY KEY, "note" TEXT NOT NULL)`,
    `CREATE INDEX "${name}_note" ON ${table(name)} ("note")`,
    `INSERT INTO ${table(name)} ("id", "note") VALUES (1, 'the first of the host'), (2, 'the second of the host')`
  ])

/** The rows of each of the host's tables, as {@link createHostTables} inserts them. */
export const hostRows = [
  { id: 1, note: "the first of the host" },
  { id: 2, note: "the second of the host" }
]

type Storage = Layer.Layer<RecordsAdapter, unknown>

const createExampleWorkspace = async (storage: Storage, name: string) => {
  const workspace = createWorkspace({ storage })
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: name }
  })
  const ada = workspace.as(user)
  const space = await ada.spaces.create({ organization, input: { title: `Handbook of ${name}` } })
  await ada.content.edit({
    content: { space: space.id },
    input: {
      changes: [
        { operation: "insert_page", title: `Welcome to ${name}`, document: { markdown: "How to deploy." } }
      ]
    }
  })
  await workspace.work.drain()
  /** Returns the titles of spaces, of organizations, and of pages that contain "deploy". */
  const titles = async () => [
    ...(await ada.spaces.list({ organization })).items.map(({ title }) => title),
    ...(await ada.organizations.list({})).items.map(({ title }) => title),
    ...(await ada.search.searchSpace({ space: space.id, input: { query: "deploy" } })).items.map(
      ({ title }) => title
    )
  ]
  return { workspace, ada, space, titles }
}

/** Creates an organization, a space and a page, searches for the page, moves the space to the trash and restores it. */
export const testWorkspace = async (storage: Storage): Promise<void> => {
  const { workspace, ada, space, titles } = await createExampleWorkspace(storage, "Acme")
  try {
    expect(await titles()).toEqual(["Handbook of Acme", "Acme", "Welcome to Acme"])
    await ada.spaces.remove({ space: space.id })
    await ada.spaces.restore({ space: space.id })
    expect(await titles()).toEqual(["Handbook of Acme", "Acme", "Welcome to Acme"])
  } finally {
    await workspace.dispose()
  }
}

/** Checks that neither of two workspaces in one database contains users, content or search results of the other. */
export const testTwoWorkspaces = async (first: Storage, second: Storage): Promise<void> => {
  const [one, two] = await Promise.all([
    createExampleWorkspace(first, "One"),
    createExampleWorkspace(second, "Two")
  ])
  try {
    expect(await one.titles()).toEqual(["Handbook of One", "One", "Welcome to One"])
    expect(await two.titles()).toEqual(["Handbook of Two", "Two", "Welcome to Two"])
    await expect(one.ada.spaces.get({ space: two.space.id })).rejects.toMatchObject({ _tag: "NotFound" })
  } finally {
    await one.workspace.dispose()
    await two.workspace.dispose()
  }
}
