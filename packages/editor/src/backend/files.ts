/** The files of a space, or of a change request. */
import type { CallOptions } from "@lectern/client/fetch"
import type { ClientBackendOptions } from "./ClientBackend.ts"

/** Returns the name, the size and the URL of a file. */
export const getFile = (
  { client, space, changeRequest }: ClientBackendOptions,
  fileId: string,
  options?: CallOptions
) =>
  changeRequest === undefined
    ? client.content.getFileById({ params: { spaceId: space, fileId } }, options)
    : client.changeRequestContent.getFileInChangeRequestById(
        { params: { spaceId: space, changeRequestId: changeRequest, fileId } },
        options
      )
