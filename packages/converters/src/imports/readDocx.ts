/** Converts docx documents to HTML with mammoth, and then to Markdown like web pages. */
import { NotReadable, type Readings } from "@lectern/core/conversion"
import mammoth from "mammoth"
import { readHtml } from "./html/readHtml.ts"
import { readZip } from "./readZip.ts"

/** The path of the entry of a docx archive that contains the text. */
const documentPath = "word/document.xml"

/** The maximum size of that entry, decompressed, in bytes. mammoth needs a multiple of it as memory. */
const maxDocumentBytes = 8 * 1024 * 1024

/** Reads a docx document. Checks sizes before mammoth, which decompresses without a limit. Throws `NotReadable`. */
export const readDocx = async ({
  bytes,
  url,
  mark
}: Readings["docx"]["in"]): Promise<Readings["docx"]["out"]> => {
  const document = readZip(bytes).find(({ path }) => path === documentPath)
  if (document === undefined)
    throw new NotReadable({ message: "points to a file that is not a docx document" })
  if (document.bytes.length > maxDocumentBytes) {
    throw new NotReadable({
      message: `points to a docx document whose text is larger than ${maxDocumentBytes >> 20} MiB`
    })
  }
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }).catch(() => {
    throw new NotReadable({ message: "points to a docx document that cannot be read" })
  })
  return readHtml({ bytes: new TextEncoder().encode(value), url, mark, isWhole: true })
}
