/** The operations on import runs. */
import type { ImportRunsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const imports = {
  startImportRun: {
    serves: "ImportRuns.start",
    rule: ["organization.view", "space.edit"],
    pathRule: "organization.view",
    repeated: "another",
    body: ({ ids }) => ({
      source: { type: "markdown", url: "http://127.0.0.1:1/page.md" },
      target: { space: ids.spaceId }
    })
  },
  listImportRuns: { serves: "ImportRuns.list", rule: "organization.list" },
  getImportRun: {
    serves: "ImportRuns.get",
    rule: ["organization.view", "space.read"],
    pathRule: "organization.view"
  },
  cancelImportRun: {
    serves: "ImportRuns.cancel",
    rule: ["organization.view", "space.edit"],
    pathRule: "organization.view"
  }
} satisfies RowsOf<typeof ImportRunsApi>
