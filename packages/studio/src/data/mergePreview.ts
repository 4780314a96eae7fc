/** The preview of the merge of a change request: the conflicts and the rules that prevent it. */
import type { ChangeRequest, MergePreview } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { changeKey } from "./changeRequests.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The conflicts and the failing rules of a merge by the person. Nothing is loaded for a closed change request. */
export const useMergePreview = ({ space, number, id, status }: ChangeRequest): Resource<MergePreview> =>
  useResource(
    status === "draft" || status === "open" ? `${changeKey(space, String(number))}/merge-preview` : undefined,
    (signal) =>
      client.changeRequests.getChangeRequestMergePreview(
        { params: { spaceId: space, changeRequestId: id } },
        { signal }
      )
  )
