/** The operations on uploads. */
import type { UploadsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const uploads = {
  generateStorageUploadURL: {
    serves: "Uploads.create",
    rule: ["organization.view", "upload.create"],
    pathRule: "organization.view",
    repeated: "another",
    body: () => ({
      file: { name: "handbook.zip", type: "application/zip", size: 1_000 },
      kind: "import_file"
    })
  }
} satisfies RowsOf<typeof UploadsApi>
