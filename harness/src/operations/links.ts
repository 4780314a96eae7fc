/** The operations on links. */
import type { LinksApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const links = {
  listSpaceLinks: { serves: "Links.list", rule: "space.read", statements: 7 },
  listPageLinksInSpace: { serves: "Links.listPageLinks", rule: "space.read", statements: 6 },
  listSpacePageBacklinks: { serves: "Links.listPageBacklinks", rule: "space.read", statements: 6 },
  listSpaceFileBacklinks: { serves: "Links.listFileBacklinks", rule: "space.read", statements: 6 },
  listChangeRequestLinks: { serves: "Links.list", rule: "changeRequest.view.other", statements: 8 },
  listPageLinksInChangeRequest: {
    serves: "Links.listPageLinks",
    rule: "changeRequest.view.other",
    statements: 8
  },
  listChangeRequestPageBacklinks: {
    serves: "Links.listPageBacklinks",
    rule: "changeRequest.view.other",
    statements: 8
  },
  listChangeRequestFileBacklinks: {
    serves: "Links.listFileBacklinks",
    rule: "changeRequest.view.other",
    statements: 8
  }
} satisfies RowsOf<typeof LinksApi>
