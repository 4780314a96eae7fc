/** Replaces the formulas of a docx document, which mammoth omits, with text that the HTML of the document contains. */
import { escapeText } from "../html/escapeText.ts"
import { ommlToTex } from "./omml.ts"

/** A formula as TeX. */
interface Formula {
  readonly tex: string
  readonly isBlock: boolean
}

/** The maximum number of formulas of a document, and the maximum length of the markup of one. */
const [maxFormulas, maxLength] = [10_000, 200_000]

const formulaStart = /<m:(oMathPara|oMath)(?=[\s/>])[^>]*>/g

/** The formulas of a document. `token` is a random word, so that the document cannot imitate a formula. */
export class DocumentFormulas {
  private readonly formulas: Array<Formula> = []
  private readonly token: string

  constructor(token: string) {
    this.token = token
  }

  /** Returns the XML of a part of the document, whose formulas are runs of text. */
  replaceIn(xml: string): string {
    const parts: Array<string> = []
    let copied = 0
    formulaStart.lastIndex = 0
    for (let start = formulaStart.exec(xml); start !== null; start = formulaStart.exec(xml)) {
      if (start[0].endsWith("/>")) continue
      const closing = `</m:${start[1]}>`
      const end = xml.indexOf(closing, formulaStart.lastIndex)
      // An unclosed formula is malformed, and so is the document.
      if (end < 0 || this.formulas.length >= maxFormulas) break
      formulaStart.lastIndex = end + closing.length
      if (formulaStart.lastIndex - start.index > maxLength) continue
      const tex = ommlToTex(xml.slice(start.index, formulaStart.lastIndex))
      if (tex === undefined || tex === "") continue
      parts.push(
        xml.slice(copied, start.index),
        `<w:r><w:t>${this.token}${this.formulas.length}x</w:t></w:r>`
      )
      copied = formulaStart.lastIndex
      this.formulas.push({ tex, isBlock: start[1] === "oMathPara" })
    }
    return parts.join("") + xml.slice(copied)
  }

  /** Returns HTML whose formulas have the markup of MathJax. */
  restoreIn(html: string): string {
    if (this.formulas.length === 0) return html
    return html.replaceAll(new RegExp(`${this.token}(\\d+)x`, "g"), (whole, index: string) => {
      const formula = this.formulas[Number(index)]
      if (formula === undefined) return whole
      const [open, close] = formula.isBlock ? ["\\[", "\\]"] : ["\\(", "\\)"]
      return `<span class="math">${open}${escapeText(formula.tex)}${close}</span>`
    })
  }
}
