/**
 * Converts docx documents to HTML with mammoth, and then to Markdown like web pages. Formulas are replaced before, because
 * mammoth omits them; code, quotes and captions are paragraphs with the styles of the document.
 */
import { NotReadable, type Readings, type Unpacked } from "@lectern/formats/threads"
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

/** The maximum number of character references in those entries, each of which is decoded and written several times. */
const maxReferences = 500_000

/** The byte of `&`, which begins character references. */
const ampersand = 0x26

const countReferences = (bytes: Uint8Array): number => {
  let count = 0
  for (const byte of bytes) if (byte === ampersand) count++
  return count
}

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
  const texts = files.filter(({ path }) => textPaths.has(path))
  const textBytes = texts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (textBytes > maxDocumentBytes) {
    throw new NotReadable({
      message: `points to a docx document whose text is larger than ${maxDocumentBytes >> 20} MiB`
    })
  }
  if (texts.reduce((sum, { bytes }) => sum + countReferences(bytes), 0) > maxReferences) {
    throw new NotReadable({
      message: "points to a docx document with more than 500,000 character references"
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
