/** The operations on exports. */
import type { ExportsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const exports = {
  getSpaceExport: { serves: "Exports.getUrl", rule: "space.read" },
  getChangeRequestExport: {
    serves: "Exports.getUrl",
    rule: "changeRequest.view.other"
  },
  getRevisionExport: { serves: "Exports.getUrl", rule: "space.read" },
  getSiteExport: { serves: "SiteExports.getUrl", rule: ["site.edit", "siteSpace.export"] }
} satisfies RowsOf<typeof ExportsApi>
