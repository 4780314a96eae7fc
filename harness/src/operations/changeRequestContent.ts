/** The operations on the content of change requests. */
import type { ChangeRequestContentApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { importedPage, insertedPage } from "./sceneInputs.ts"

export const changeRequestContent = {
  getRevisionOfChangeRequestById: {
    serves: "Content.getRevision",
    rule: "changeRequest.view.other"
  },
  updateChangeRequestContent: {
    serves: "Content.edit",
    rule: "changeRequest.edit.other",
    repeated: "another",
    body: () => ({ changes: [insertedPage] })
  },
  importContentInChangeRequest: {
    serves: "Imports.import",
    rule: "changeRequest.edit.other",
    repeated: "another",
    body: () => importedPage
  },
  importContentInChangeRequestPageById: {
    serves: "PageImports.import",
    rule: "changeRequest.edit.other",
    repeated: "another",
    body: () => importedPage
  },
  listPagesInChangeRequest: { serves: "Content.listPages", rule: "changeRequest.view.other" },
  listFilesInChangeRequestById: {
    serves: "Content.listFiles",
    rule: "changeRequest.view.other"
  },
  getFileInChangeRequestById: { serves: "Content.getFile", rule: "changeRequest.view.other" },
  listChangeRequestPageMetaLinks: { serves: "Content.getPage", rule: "changeRequest.view.other" },
  getPageInChangeRequestById: {
    serves: "Content.getPage",
    rule: "changeRequest.view.other",
    query: "format=markdown"
  },
  getPageInChangeRequestByPath: {
    serves: "Content.getPageByPath",
    rule: "changeRequest.view.other"
  },
  getReusableContentInChangeRequestById: {
    serves: "Content.getReusableContent",
    rule: "changeRequest.view.other"
  }
} satisfies RowsOf<typeof ChangeRequestContentApi>
