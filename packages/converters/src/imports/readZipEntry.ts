/** Inflates one file of a ZIP archive. It fails as soon as the file is larger than the archive declares. */
import type { Readings } from "@lectern/formats/threads"
import { Inflate } from "fflate"
import { notReadable } from "./archivePaths.ts"

/** The number of bytes that are inflated at a time. Deflate expands by up to 1000 times, so one step yields up to 16 MB. */
const chunkBytes = 16 * 1024

/** Returns the bytes of a file. Throws `NotReadable`. */
export const readZipEntry = ({ bytes, method, size }: Readings["zipEntry"]["in"]): Uint8Array => {
  const failed = notReadable("points to an archive that cannot be unpacked")
  if (method === 0) {
    if (bytes.length !== size) throw failed
    return bytes.slice()
  }
  const whole = new Uint8Array(size)
  let length = 0
  const inflate = new Inflate((chunk) => {
    if (length + chunk.length > size) throw failed
    whole.set(chunk, length)
    length += chunk.length
  })
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      inflate.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
    }
  } catch {
    throw failed
  }
  if (length !== size) throw failed
  return whole
}
