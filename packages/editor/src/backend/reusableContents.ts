/** The reusable contents of a space, or of a change request. */
import type { ResolvedReference } from "../EditorBackend.ts"
import type { Document } from "../model.ts"
import type { ClientBackendOptions } from "./ClientBackend.ts"

/** Returns the title and the document of a reusable content. */
export const resolveReusable = async (
  { client, space, changeRequest }: ClientBackendOptions,
  id: string
): Promise<ResolvedReference> => {
  const params = { spaceId: space, reusableContentId: id }
  const [{ title }, { revision }] = await Promise.all(
    changeRequest === undefined
      ? [client.content.getReusableContentById({ params }), client.spaces.getSpaceById({ params })]
      : [
          client.changeRequestContent.getReusableContentInChangeRequestById({
            params: { ...params, changeRequestId: changeRequest }
          }),
          client.changeRequests.getChangeRequestById({
            params: { spaceId: space, changeRequestId: changeRequest }
          })
        ]
  )
  const document = await client.revisions.getReusableContentDocumentInRevisionById({
    params: { ...params, revisionId: revision }
  })
  return { title, document: document as unknown as Document }
}
