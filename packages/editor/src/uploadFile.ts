/** Uploads files, and announces how it goes. */
import type { EditorContext } from "./context.ts"
import type { UploadedFile } from "./EditorBackend.ts"

/** Uploads one file. A failure is announced, and returns `undefined`. */
export const uploadFile = async (
  context: EditorContext,
  file: File,
  onProgress: (fraction: number) => void
): Promise<UploadedFile | undefined> => {
  const { backend, messages, signal } = context
  if (backend?.upload === undefined) return undefined
  try {
    context.announce(messages.uploading(file.name))
    const uploaded = await backend.upload(file, { signal, onProgress })
    context.announce(messages.uploaded(file.name))
    return uploaded
  } catch (error) {
    context.announce(messages.uploadFailed(file.name, error instanceof Error ? error.message : ""))
    return undefined
  }
}
