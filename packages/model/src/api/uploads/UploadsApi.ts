import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CreateUpload, OrganizationId, UploadUrl } from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"

/** The group of operations on uploads. */
export const UploadsApi = HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("generateStorageUploadURL", "/orgs/:organizationId/storage/upload", {
      params: { organizationId: OrganizationId },
      payload: CreateUpload,
      success: created(UploadUrl),
      error: changing
    })
      .annotateMerge(
        describe(
          "Create a signed URL to upload a file",
          "Returns a URL to send a file to with PUT, and the key of the file for operations such as `startImportRun`. The file must have the declared size. A `Content-Digest` header with its SHA-256 is verified. The file is deleted after 24 hours."
        )
      )
      .annotate(ReturnsSecret, always)
  )
  .annotateMerge(describeGroup("Uploads", "Files that are uploaded for other operations."))
