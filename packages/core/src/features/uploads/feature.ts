import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { stagedUploads } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { Uploads } from "./Uploads.ts"
import { UploadUrls } from "./UploadUrls.ts"

/** Files that clients upload to signed URLs, for operations that refer to them. */
export const uploadsFeature = defineFeature("uploads", {
  uses: ["content"],
  tables: [stagedUploads],
  userServices: { uploads: Uploads },
  layer: Uploads.layer.pipe(Layer.provide(UploadUrls.layer)),
  jobs: Effect.map(Uploads, ({ purge }) => [housekeepingJob("uploads.purge", "1 hour", purge)])
})
