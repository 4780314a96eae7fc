/** The operations on the content of change requests. */
import type { ChangeRequestContentApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { importedPage, insertedPage } from "./scene.ts"

export const changeRequestContent = {
  getRevisionOfChangeRequestById: {
    serves: "Content.getRevision",
    rule: "changeRequest.view.other",
    statements: 5
  },
  updateChangeRequestContent: {
    serves: "Content.edit",
    rule: "changeRequest.edit.other",
    statements: 15,
    repeated: "another",
    body: () => ({ changes: [insertedPage] })
  },
  importContentInChangeRequest: {
    serves: "Imports.import",
    rule: "changeRequest.edit.other",
    statements: 19,
    repeated: "another",
    body: () => importedPage
  },
  listPagesInChangeRequest: { serves: "Content.listPages", rule: "changeRequest.view.other", statements: 5 },
  listFilesInChangeRequestById: {
    serves: "Content.listFiles",
    rule: "changeRequest.view.other",
    statements: 5
  },
  getFileInChangeRequestById: { serves: "Content.getFile", rule: "changeRequest.view.other", statements: 5 },
  getPageInChangeRequestById: {
    serves: "Content.getPage",
    rule: "changeRequest.view.other",
    statements: 5,
    query: "format=markdown"
  },
  getPageInChangeRequestByPath: {
    serves: "Content.getPageByPath",
    rule: "changeRequest.view.other",
    statements: 5
  },
  getReusableContentInChangeRequestById: {
    serves: "Content.getReusableContent",
    rule: "changeRequest.view.other",
    statements: 5
  }
} satisfies RowsOf<typeof ChangeRequestContentApi>
