/** Reads the parts of PDFs that assistive technology uses, and the glyphs of its fonts, with pdf.js. */
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

/** An element of the structure: its type, its alternative text and its children. */
export interface StructureNode {
  readonly role?: string
  readonly alt?: string
  readonly lang?: string
  readonly children?: ReadonlyArray<StructureNode>
}

/** The operator of pdf.js that shows text. */
const showText = 44

/** Returns the language, the elements of all pages in order, and the number of glyphs that no font contains. */
export const readStructure = async (bytes: Uint8Array) => {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await task.promise
  const elements: Array<StructureNode> = []
  const add = (node: StructureNode): void => {
    elements.push(node)
    for (const child of node.children ?? []) add(child)
  }
  let missingGlyphs = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const tree = (await page.getStructTree()) as StructureNode | null
    if (tree !== null) add(tree)
    const { fnArray, argsArray } = await page.getOperatorList()
    for (const [index, operator] of fnArray.entries()) {
      if (operator !== showText) continue
      const [glyphs] = argsArray[index] as [ReadonlyArray<{ readonly originalCharCode?: number } | number>]
      missingGlyphs += glyphs.filter(
        (glyph) => typeof glyph === "object" && glyph.originalCharCode === 0
      ).length
    }
  }
  const { info } = await document.getMetadata()
  const { Language: language } = info as { readonly Language?: string }
  await task.destroy()
  return { language, elements, missingGlyphs }
}
