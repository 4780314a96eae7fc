/**
 * Converts docx documents to HTML with mammoth, and then to Markdown like web pages. Formulas are replaced before, because
 * mammoth omits them; code, quotes and captions are paragraphs with the styles of the document.
 */
import { NotReadable, type Readings, type Unpacked } from "@lectern/core/conversion"
import { zipSync } from "fflate"
import mammoth from "mammoth"
import { DocumentFormulas } from "./docx/formulas.ts"
import { makeTransform, styleMap } from "./docx/paragraphs.ts"
import { readStyles } from "./docx/styles.ts"
import { readHtml } from "./html/readHtml.ts"
import { readZip } from "./readZip.ts"

/** The path of the entry of a docx archive that contains the text. */
const documentPath = "word/document.xml"

/** The parts that can contain formulas. */
const textPaths: ReadonlySet<string> = new Set([documentPath, "word/footnotes.xml", "word/endnotes.xml"])

/** The maximum size of those entries, decompressed, in bytes. mammoth needs a multiple of it as memory. */
const maxDocumentBytes = 8 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Returns the archive without compression, with formulas as text. */
const replaceFormulas = (files: ReadonlyArray<Unpacked>, formulas: DocumentFormulas): Uint8Array =>
  zipSync(
    Object.fromEntries(
      files.map(({ path, bytes }) => [
        path,
        textPaths.has(path) ? encoder.encode(formulas.replaceIn(decoder.decode(bytes))) : bytes
      ])
    ),
    { level: 0 }
  )

/** Reads a docx document. Checks sizes before mammoth, which decompresses without a limit. Throws `NotReadable`. */
export const readDocx = async ({
  bytes,
  url,
  mark
}: Readings["docx"]["in"]): Promise<Readings["docx"]["out"]> => {
  const files = readZip(bytes)
  if (!files.some(({ path }) => path === documentPath)) {
    throw new NotReadable({ message: "points to a file that is not a docx document" })
  }
  const textBytes = files.reduce((sum, file) => sum + (textPaths.has(file.path) ? file.bytes.length : 0), 0)
  if (textBytes > maxDocumentBytes) {
    throw new NotReadable({
      message: `points to a docx document whose text is larger than ${maxDocumentBytes >> 20} MiB`
    })
  }
  const token = `formula${mark.replaceAll(/[^A-Za-z\d]/g, "")}`
  const formulas = new DocumentFormulas(token)
  const styles = files.find(({ path }) => path === "word/styles.xml")
  const { transform, restore } = makeTransform(
    readStyles(styles === undefined ? "" : decoder.decode(styles.bytes)),
    token
  )
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(replaceFormulas(files, formulas)) },
      { styleMap: [...styleMap], transformDocument: transform }
    )
    .catch(() => {
      throw new NotReadable({ message: "points to a docx document that cannot be read" })
    })
  const html = restore(formulas.restoreIn(value))
  return readHtml({ bytes: encoder.encode(html), url, mark, isWhole: true })
}
