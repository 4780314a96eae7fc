/** A document is imported into a page: in a space, and in a change request. */
import type { ChangeRequest, ContentPage, EditedContent, ImportedContent, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { pagesOf } from "./helpers.ts"

export const pageImports: ContractScenario = {
  title: "A document is imported into a page, whose title remains",
  requires: ["content", "changeRequestContent"],
  run: async ({ ada, bob, rita, acme, website }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Imported pages" } }
    )
    const at = { spaceId: space.id }
    const edited = await bob.call<EditedContent>("updateSpaceContent", at, {
      body: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "A quokka." } }] }
    })
    const page = { ...at, pageId: pagesOf(edited)[0]! }
    website.put("/notes.md", { type: "text/markdown", body: "# Notes\n\nA wombat." })
    const document = { url: `${website.url}/notes.md`, source: "markdown" }
    const before = await rita.call<ContentPage>("getPageById", page)
    const replaced = await ada.call<typeof ImportedContent.Type>("importContentInPageById", page, {
      body: document
    })
    expect(replaced).toMatchObject({ importedResources: 1, totalResources: 1 })
    const read = { query: { format: "markdown" } }
    const after = await rita.call<ContentPage>("getPageById", page, read)
    expect(after).toMatchObject({ title: before.title, markdown: expect.stringContaining("wombat") })
    await ada.expectError(400, "importContentInPageById", page, { body: { ...document, source: "website" } })

    const { id } = await bob.call<ChangeRequest>("createChangeRequest", at, { body: { subject: "Numbats" } })
    const proposed = { ...page, changeRequestId: id }
    website.put("/proposed.md", { type: "text/markdown", body: "A numbat." })
    await bob.call("importContentInChangeRequestPageById", proposed, {
      body: { url: `${website.url}/proposed.md`, source: "markdown" }
    })
    const changed = await rita.call<ContentPage>("getPageInChangeRequestById", proposed, read)
    expect(changed).toMatchObject({ markdown: expect.stringContaining("numbat") })
    expect(await rita.call<ContentPage>("getPageById", page, read)).toEqual(after)
  }
}
