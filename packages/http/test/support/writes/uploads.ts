/** Writes to uploads. */
import { uniqueName, type WriteKind, type WriteKinds } from "./writes.ts"

const generateStorageUploadURL: WriteKind = (writer) => ({
  method: "POST",
  path: `/orgs/${writer.organization}/storage/upload`,
  body: {
    file: { name: `${uniqueName(writer)}.md`, type: "text/markdown", size: 10 },
    kind: "import_file"
  }
})

/** The kinds of these writes, by operation. */
export const uploadWrites = {
  generateStorageUploadURL: [generateStorageUploadURL]
} satisfies WriteKinds
