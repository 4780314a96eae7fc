/** The operations on links. */
import type { LinksApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const links = {
  listSpaceLinks: { serves: "Links.list", rule: "space.read" },
  listPageLinksInSpace: { serves: "Links.listPageLinks", rule: "space.read" },
  listSpacePageBacklinks: { serves: "Links.listPageBacklinks", rule: "space.read" },
  listSpaceFileBacklinks: { serves: "Links.listFileBacklinks", rule: "space.read" },
  listSpaceReusableContentBacklinks: {
    serves: "Links.listReusableContentBacklinks",
    rule: "space.read"
  },
  listChangeRequestLinks: { serves: "Links.list", rule: "changeRequest.view.other" },
  listPageLinksInChangeRequest: {
    serves: "Links.listPageLinks",
    rule: "changeRequest.view.other"
  },
  listChangeRequestPageBacklinks: {
    serves: "Links.listPageBacklinks",
    rule: "changeRequest.view.other"
  },
  listChangeRequestFileBacklinks: {
    serves: "Links.listFileBacklinks",
    rule: "changeRequest.view.other"
  },
  listChangeRequestReusableContentBacklinks: {
    serves: "Links.listReusableContentBacklinks",
    rule: "changeRequest.view.other"
  }
} satisfies RowsOf<typeof LinksApi>
