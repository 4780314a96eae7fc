/** The operations on revisions. */
import type { RevisionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const revisions = {
  getRevisionById: { serves: "Content.getRevision", rule: "space.read", statements: 4 },
  getRevisionSemanticChanges: { serves: "Content.listChanges", rule: "space.read", statements: 5 },
  listPagesInRevisionById: { serves: "Content.listPages", rule: "space.read", statements: 4 },
  listFilesInRevisionById: { serves: "Content.listFiles", rule: "space.read", statements: 4 },
  getFileInRevisionById: { serves: "Content.getFile", rule: "space.read", statements: 4 },
  getPageInRevisionById: {
    serves: "Content.getPage",
    rule: "space.read",
    statements: 4,
    query: "format=markdown"
  },
  getPageDocumentInRevisionById: { serves: "Content.getPage", rule: "space.read", statements: 4 },
  getPageInRevisionByPath: { serves: "Content.getPageByPath", rule: "space.read", statements: 4 },
  getReusableContentInRevisionById: {
    serves: "Content.getReusableContent",
    rule: "space.read",
    statements: 4
  },
  getReusableContentDocumentInRevisionById: {
    serves: "Documents.getOfReusableContent",
    rule: "space.read",
    statements: 4
  }
} satisfies RowsOf<typeof RevisionsApi>
