/** The writers of a space wait for each other: an edit of a page takes few round trips. */
import { createWorkspace } from "@lectern/core"
import { postgres } from "@lectern/storage-pg"
import { Redacted } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { startProxy } from "./support/serverProxy.ts"
import { createDatabase } from "./support.ts"

const markdownOf = (version: number) =>
  Array.from({ length: 8 }, (_, section) => `## Section ${section}\n\nText of version ${version}.\n\n`).join(
    ""
  )

it("an edit that is similar to the former version takes 3 round trips, 2 of them with the lock of the space", async () => {
  /** The number of round trips on each connection. */
  const trips: Array<number> = []
  const { url } = await startProxy(Redacted.value(await createDatabase()), () => {
    const connection = trips.push(0) - 1
    return {
      client: (chunk) => {
        trips[connection]!++
        return chunk
      },
      server: (chunk) => chunk
    }
  })
  const workspace = createWorkspace({ storage: postgres(url), logger: () => {} })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  const { id: space } = await ada.spaces.create({ organization, input: { title: "Guide", editMode: "live" } })
  const edit = (change: object) =>
    ada.content.edit({ content: { space }, input: { changes: [change] } } as Parameters<
      typeof ada.content.edit
    >[0])
  const { changes } = await edit({
    operation: "insert_page",
    title: "Page",
    document: { markdown: markdownOf(0) }
  })
  const [made] = changes
  const page = made?.object === "created_page" ? made.page.id : ""
  const update = (version: number) =>
    edit({ operation: "update_page", page, document: { markdown: markdownOf(version) } })
  // The first edits prepare the statements of the connection.
  for (let version = 1; version < 6; version++) await update(version)
  trips.fill(0)
  await update(6)
  // `BEGIN`, the lock, the space, the member and the grants; the writes; `COMMIT`.
  expect(Math.max(...trips)).toBe(3)
})
