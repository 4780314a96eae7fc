/** A host's tables beside Lectern's, and a workspace in such a database. */
import { createWorkspace, type RecordsAdapter } from "@lectern/core"
import type { Layer } from "effect"
import { expect } from "vitest"

/** Names that Lectern's tables, its migrations and the conformance tests have too. */
export const hostTables = [
  "users",
  "spaces",
  "comments",
  "searchPages",
  "lecternMigrations",
  "conformancePeople",
  "conformanceFolders"
] as const

/** Statements that create the tables of a host, with two rows each. */
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

const openWorkspace = async (storage: Storage, name: string) => {
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
  /** The titles of spaces, of organizations, and of pages that contain "deploy". */
  const titles = async () => [
    ...(await ada.spaces.list({ organization })).items.map(({ title }) => title),
    ...(await ada.organizations.list({})).items.map(({ title }) => title),
    ...(await ada.search.searchSpace({ space: space.id, input: { query: "deploy" } })).items.map(
      ({ title }) => title
    )
  ]
  return { workspace, ada, space, titles }
}

/** Creates an organization, a space and a page, finds the page by search, and moves the space to the trash. */
export const useWorkspace = async (storage: Storage): Promise<void> => {
  const { workspace, ada, space, titles } = await openWorkspace(storage, "Acme")
  try {
    expect(await titles()).toEqual(["Handbook of Acme", "Acme", "Welcome to Acme"])
    await ada.spaces.remove({ space: space.id })
    await ada.spaces.restore({ space: space.id })
    expect(await titles()).toEqual(["Handbook of Acme", "Acme", "Welcome to Acme"])
  } finally {
    await workspace.dispose()
  }
}

/** Uses two workspaces side by side: neither has users, content or search results of the other. */
export const useTwoWorkspaces = async (first: Storage, second: Storage): Promise<void> => {
  const [one, two] = await Promise.all([openWorkspace(first, "One"), openWorkspace(second, "Two")])
  try {
    expect(await one.titles()).toEqual(["Handbook of One", "One", "Welcome to One"])
    expect(await two.titles()).toEqual(["Handbook of Two", "Two", "Welcome to Two"])
    await expect(one.ada.spaces.get({ space: two.space.id })).rejects.toMatchObject({ _tag: "NotFound" })
  } finally {
    await one.workspace.dispose()
    await two.workspace.dispose()
  }
}
