/** Handlers of the endpoints for uploads. */
import { UploadsApi } from "@lectern/client"
import { Uploads } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for uploads. */
export const uploads = Effect.map(Uploads, ({ create }) =>
  implement(UploadsApi, {
    generateStorageUploadURL: create
  })
)
