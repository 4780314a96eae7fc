import { UploadsApi } from "@lectern/client"
import { Uploads } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const uploads = Effect.map(Uploads, ({ create }) =>
  implement(UploadsApi, {
    generateStorageUploadURL: create
  })
)
