/** The titles and the parents of pages that a batch adds. */

import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

interface Page {
  readonly id: string
  readonly title: string
  readonly pages?: ReadonlyArray<Page>
}

const startSpace = async () => {
  const server = await startServerOn(memory)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const createSpace = async () => (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  const edit = (space: string, changes: ReadonlyArray<unknown>) =>
    call<{ changes: ReadonlyArray<{ page: { id: string } }> }>("POST", `/spaces/${space}/content`, {
      changes
    })
  const reject = async (space: string, changes: ReadonlyArray<unknown>) => {
    const response = await server.fetch(`/v1/spaces/${space}/content`, {
      method: "POST",
      token,
      body: JSON.stringify({ changes })
    })
    const { error } = (await response.json()) as { error: { message: string } }
    return [response.status, error.message]
  }
  const pages = async (space: string) =>
    (await call<{ pages: ReadonlyArray<Page> }>("GET", `/spaces/${space}/content/pages`)).pages
  return { call, createSpace, edit, reject, pages }
}

it.each([
  ["Getting started", "# Install the tool\n\nText.", "Getting started", "# Install the tool\n\nText."],
  ["Install", "# Install\n\nText.", "Install", "Text."],
  ["Own", "---\ntitle: Other\n---\n\nText.", "Own", "Text."],
  [undefined, "---\ntitle: Other\n---\n\n# Heading\n", "Other", "# Heading\n"],
  [undefined, "# Heading\n\nText.", "Heading", "Text."],
  [undefined, "Text.", "Untitled", "Text."]
])("a page with the title %j and the Markdown %j is titled %s", async (title, markdown, expected, body) => {
  const { call, createSpace, edit } = await startSpace()
  const space = await createSpace()
  const { changes } = await edit(space, [
    { operation: "insert_page", ...(title === undefined ? {} : { title }), document: { markdown } }
  ])
  const page = await call<{ title: string; markdown: string }>(
    "GET",
    `/spaces/${space}/content/page/${changes[0]!.page.id}?format=markdown`
  )
  expect([page.title, page.markdown]).toEqual([expected, body])
})

it("`into` accepts the ref of a page that an earlier change of the batch adds", async () => {
  const { createSpace, edit, pages } = await startSpace()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), async (choices) => {
      const space = await createSpace()
      // Page `n` is below an earlier page, or at the root.
      const parents = choices.map((choice, index) => (choice % (index + 1)) - 1)
      await edit(
        space,
        parents.map((parent, index) => ({
          operation: "insert_page",
          title: `Page ${index}`,
          ref: `r${index}`,
          ...(parent < 0 ? {} : { into: `r${parent}` })
        }))
      )
      const found = new Map<string, string | undefined>()
      const visit = (list: ReadonlyArray<Page>, parent: string | undefined): void => {
        for (const page of list) {
          found.set(page.title, parent)
          visit(page.pages ?? [], page.title)
        }
      }
      visit(await pages(space), undefined)
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          parents.map((parent, index) => [`Page ${index}`, parent < 0 ? undefined : `Page ${parent}`])
        )
      )
    }),
    runs(30)
  )
})

it("moves a page below a page that the same batch adds, and rejects other refs", async () => {
  const { createSpace, edit, reject, pages } = await startSpace()
  const space = await createSpace()
  const { changes } = await edit(space, [{ operation: "insert_page", title: "Old" }])
  await edit(space, [
    { operation: "insert_page", title: "New", ref: "new" },
    { operation: "update_page", page: changes[0]!.page.id, into: "new" }
  ])
  expect(
    (await pages(space)).map(({ title, pages: below }) => [title, below?.map((one) => one.title)])
  ).toEqual([["New", ["Old"]]])
  expect(
    await reject(space, [
      { operation: "insert_page", title: "Child", into: "later" },
      { operation: "insert_page", title: "Later", ref: "later" }
    ])
  ).toEqual([400, "changes.0.into is the ref of a page that a later change adds; add that page first."])
  expect(
    await reject(space, [
      { operation: "insert_reusable_content", title: "Note", ref: "note" },
      { operation: "insert_page", title: "Child", into: "note" }
    ])
  ).toEqual([400, "changes.1.into is the ref of an item that is not a page."])
  expect(await reject(space, [{ operation: "insert_page", title: "Child", into: "none" }])).toEqual([
    400,
    expect.stringContaining("changes.0.into is not the id of a page")
  ])
})
