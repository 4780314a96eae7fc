import { LinksApi } from "@lectern/client"
import { Links } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"

export const links = Effect.map(Links, (links) =>
  implement(
    LinksApi,
    {
      listSpaceLinks: links.list,
      listPageLinksInSpace: links.listPageLinks,
      listSpacePageBacklinks: links.listPageBacklinks,
      listSpaceFileBacklinks: links.listFileBacklinks,
      listSpaceReusableContentBacklinks: links.listReusableContentBacklinks,
      listChangeRequestLinks: links.list,
      listPageLinksInChangeRequest: links.listPageLinks,
      listChangeRequestPageBacklinks: links.listPageBacklinks,
      listChangeRequestFileBacklinks: links.listFileBacklinks,
      listChangeRequestReusableContentBacklinks: links.listReusableContentBacklinks
    },
    contentTarget
  )
)
