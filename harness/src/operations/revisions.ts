/** The operations on revisions. */
import type { RevisionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const revisions = {
  getRevisionById: { serves: "Content.getRevision", rule: "space.read" },
  getRevisionSemanticChanges: { serves: "Content.listChanges", rule: "space.read" },
  listPagesInRevisionById: { serves: "Content.listPages", rule: "space.read" },
  listFilesInRevisionById: { serves: "Content.listFiles", rule: "space.read" },
  getFileInRevisionById: { serves: "Content.getFile", rule: "space.read" },
  getPageInRevisionById: {
    serves: "Content.getPage",
    rule: "space.read",
    query: "format=markdown"
  },
  listRevisionPageMetaLinks: { serves: "Content.getPage", rule: "space.read" },
  getPageDocumentInRevisionById: { serves: "Content.getPage", rule: "space.read" },
  getPageInRevisionByPath: { serves: "Content.getPageByPath", rule: "space.read" },
  getReusableContentInRevisionById: {
    serves: "Content.getReusableContent",
    rule: "space.read"
  },
  getReusableContentDocumentInRevisionById: {
    serves: "Documents.getOfReusableContent",
    rule: "space.read"
  }
} satisfies RowsOf<typeof RevisionsApi>
