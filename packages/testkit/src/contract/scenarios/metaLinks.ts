/** Pages have links for search engines: in a space, in a change request, and in a revision. */
import type { ChangeRequest, EditedContent, Revision, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

const links = {
  canonical: { kind: "url", url: "https://example.com/begin" },
  alternates: [{ kind: "page", page: "missing", space: "other" }]
}

export const metaLinks: ContractScenario = {
  title: "A page has links for search engines, also in a change request and in a revision",
  requires: ["content", "changeRequestContent", "revisions"],
  run: async ({ ada, rita, eve, acme }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Linked" } }
    )
    const at = { spaceId: space.id }
    const edited = await ada.call<EditedContent>("updateSpaceContent", at, {
      body: { changes: [{ operation: "insert_page", title: "Begin", metaLinks: links }] }
    })
    const { pages } = await rita.call<Revision>("getCurrentRevision", at)
    const page = { ...at, pageId: pages[0]!.id }
    expect(await rita.call("listSpacePageMetaLinks", page)).toEqual(links)
    await eve.expectError(404, "listSpacePageMetaLinks", page)

    const { id } = await ada.call<ChangeRequest>("createChangeRequest", at, { body: {} })
    const proposed = { ...page, changeRequestId: id }
    const others = { ...links, alternates: [{ kind: "page", page: page.pageId, space: space.id }] }
    await ada.call("updateChangeRequestContent", proposed, {
      body: {
        changes: [{ operation: "update_page", page: page.pageId, metaLinks: others }]
      },
      query: { compat: false }
    })
    expect(await rita.call("listChangeRequestPageMetaLinks", proposed)).toEqual(others)
    expect(await rita.call("listSpacePageMetaLinks", page)).toEqual(links)

    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page: page.pageId, metaLinks: null }] }
    })
    expect(await rita.call("listSpacePageMetaLinks", page)).toEqual({})
    const past = { ...page, revisionId: edited.revision }
    expect(await rita.call("listRevisionPageMetaLinks", past)).toEqual(links)
    await ada.call("deleteSpaceById", at)
  }
}
