/** The operations on links. */
import type { LinksApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const links = {
  listSpaceLinks: { serves: "Links.list", rule: "space.read", statements: 6 },
  listPageLinksInSpace: { serves: "Links.listPageLinks", rule: "space.read", statements: 5 },
  listSpacePageBacklinks: { serves: "Links.listPageBacklinks", rule: "space.read", statements: 5 },
  listSpaceFileBacklinks: { serves: "Links.listFileBacklinks", rule: "space.read", statements: 5 },
  listSpaceReusableContentBacklinks: {
    serves: "Links.listReusableContentBacklinks",
    rule: "space.read",
    statements: 5
  },
  listChangeRequestLinks: { serves: "Links.list", rule: "changeRequest.view.other", statements: 6 },
  listPageLinksInChangeRequest: {
    serves: "Links.listPageLinks",
    rule: "changeRequest.view.other",
    statements: 6
  },
  listChangeRequestPageBacklinks: {
    serves: "Links.listPageBacklinks",
    rule: "changeRequest.view.other",
    statements: 7
  },
  listChangeRequestFileBacklinks: {
    serves: "Links.listFileBacklinks",
    rule: "changeRequest.view.other",
    statements: 7
  },
  listChangeRequestReusableContentBacklinks: {
    serves: "Links.listReusableContentBacklinks",
    rule: "changeRequest.view.other",
    statements: 7
  }
} satisfies RowsOf<typeof LinksApi>
