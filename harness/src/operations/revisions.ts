/** The operations on revisions. */
import type { RevisionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const revisions = {
  getRevisionById: { serves: "Content.getRevision", rule: "space.read", statements: 5 },
  getRevisionSemanticChanges: { serves: "Content.listChanges", rule: "space.read", statements: 6 },
  listPagesInRevisionById: { serves: "Content.listPages", rule: "space.read", statements: 5 },
  listFilesInRevisionById: { serves: "Content.listFiles", rule: "space.read", statements: 5 },
  getFileInRevisionById: { serves: "Content.getFile", rule: "space.read", statements: 5 },
  getPageInRevisionById: {
    serves: "Content.getPage",
    rule: "space.read",
    statements: 5,
    query: "format=markdown"
  },
  getPageDocumentInRevisionById: { serves: "Content.getPage", rule: "space.read", statements: 5 },
  getPageInRevisionByPath: { serves: "Content.getPageByPath", rule: "space.read", statements: 5 },
  getReusableContentInRevisionById: {
    serves: "Content.getReusableContent",
    rule: "space.read",
    statements: 5
  }
} satisfies RowsOf<typeof RevisionsApi>
