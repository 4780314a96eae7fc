/** The operations on the content of spaces. */
import type { ContentApi } from "@lectern/client"
import type { OperationRow, RowsOf } from "./OperationRow.ts"
import { computedSource, importedPage, insertedFile, insertedPage } from "./sceneInputs.ts"

const insertComputed: NonNullable<OperationRow["prepare"]> = ({ ids }, call) =>
  call("POST", `/v1/spaces/${ids.spaceId}/content`, {
    changes: [{ operation: "insert_page", type: "computed", title: "API", computed: computedSource }]
  })

export const content = {
  getCurrentRevision: { serves: "Content.getRevision", rule: "space.read" },
  updateSpaceContent: {
    serves: "Content.edit",
    rule: "space.edit",
    repeated: "another",
    body: () => ({ changes: [insertedPage, insertedFile] })
  },
  importContent: {
    serves: "Imports.import",
    rule: "space.edit",
    repeated: "another",
    body: () => importedPage
  },
  importContentInPageById: {
    serves: "PageImports.import",
    rule: "space.edit",
    repeated: "another",
    body: () => importedPage
  },
  getComputedRevision: {
    serves: "Documents.computeRevision",
    rule: "space.read",
    reads: true,
    body: () => ({ source: computedSource, seed: "1" }),
    prepare: insertComputed
  },
  listPages: { serves: "Content.listPages", rule: "space.read" },
  listFiles: { serves: "Content.listFiles", rule: "space.read" },
  getFileById: { serves: "Content.getFile", rule: "space.read" },
  listSpacePageMetaLinks: { serves: "Content.getPage", rule: "space.read" },
  getPageById: { serves: "Content.getPage", rule: "space.read", query: "format=markdown" },
  getPageByPath: { serves: "Content.getPageByPath", rule: "space.read" },
  getReusableContentById: { serves: "Content.getReusableContent", rule: "space.read" },
  getDocumentById: { serves: "Documents.get", rule: "space.read" },
  getComputedDocument: {
    serves: "Documents.compute",
    rule: "space.read",
    reads: true,
    body: () => ({
      source: { ...computedSource, props: { doc: "operations", page: "Operations" } },
      seed: "1"
    }),
    prepare: insertComputed
  }
} satisfies RowsOf<typeof ContentApi>
