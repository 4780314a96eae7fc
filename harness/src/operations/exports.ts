/** The operations on exports. */
import type { ExportsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const exports = {
  getSpaceExport: { serves: "Exports.getUrl", rule: "space.read", statements: 5 },
  getChangeRequestExport: {
    serves: "Exports.getUrl",
    rule: "changeRequest.view.other",
    statements: 6
  },
  getRevisionExport: { serves: "Exports.getUrl", rule: "space.read", statements: 5 },
  getSiteExport: { serves: "SiteExports.getUrl", rule: "site.edit", statements: 9 }
} satisfies RowsOf<typeof ExportsApi>
