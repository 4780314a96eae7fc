/** Downloads of long work, with their progress. */

/** How much of a file has arrived. */
export interface DownloadProgress {
  readonly receivedBytes: number
  /** The size of the file; `undefined` if the server does not name it. */
  readonly totalBytes: number | undefined
}

const sizeOf = (response: Response): number | undefined => {
  const length = response.headers.get("content-length")
  // The size of a compressed response is not that of the file.
  if (length === null || response.headers.has("content-encoding")) return undefined
  return Number(length)
}

/** Downloads a file. Rejects if the server does not return it. */
export const download = async (
  url: string,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal
): Promise<Blob> => {
  const response = await fetch(url, { credentials: "omit", signal })
  if (!response.ok) throw new Error(`The server responded with status ${response.status}.`)
  const totalBytes = sizeOf(response)
  const reader = response.body?.getReader()
  if (reader === undefined) return response.blob()
  const chunks: Array<Uint8Array<ArrayBuffer>> = []
  let receivedBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    receivedBytes += value.byteLength
    onProgress({ receivedBytes, totalBytes })
  }
  return new Blob(chunks, { type: response.headers.get("content-type") ?? "" })
}

/** Offers a file to the person, under a name. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = url
  // Characters that file systems forbid.
  link.download = name.replace(/[\\/:*?"<>|]+/g, "-")
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
