/** Finds formulas: MathML with TeX, and TeX in the markup of MathJax and KaTeX. */
import type { Element, Nodes } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { attribute, classesOf, elementsIn, isElement } from "./nodes.ts"

/** A formula. */
export interface Formula {
  readonly tex: string
  /** Whether the formula is a paragraph of its own. */
  readonly isBlock: boolean
}

const texAnnotation = /^application\/x-(?:tex|latex)$/i

/** Returns the TeX of MathML: its annotation, or its alternative text. */
const texOfMathML = (math: Element): string | undefined => {
  const annotation = elementsIn(math).find(
    (element) => isElement(element, "annotation") && texAnnotation.test(attribute(element, "encoding") ?? "")
  )
  const tex = annotation === undefined ? attribute(math, "alttext") : textOf(annotation)
  return tex?.replace(/^\{\\displaystyle ([\s\S]*)\}$/, "$1").trim()
}

const delimiters: ReadonlyArray<readonly [pattern: RegExp, isBlock: boolean]> = [
  [/^\\\[([\s\S]*)\\\]$/, true],
  [/^\$\$([\s\S]*)\$\$$/, true],
  [/^\\\(([\s\S]*)\\\)$/, false],
  [/^\$([^$]*)\$$/, false]
]

const formulaOf = (tex: string | undefined, isBlock: boolean): Formula | undefined =>
  tex === undefined || tex === "" || tex.length > 20_000 ? undefined : { tex, isBlock }

/** Returns the formula that an element is, or `undefined` for other elements. */
export const findFormula = (element: Element): Formula | undefined => {
  if (element.tagName === "math") {
    return formulaOf(texOfMathML(element), attribute(element, "display") === "block")
  }
  if (element.tagName === "script") {
    const type = attribute(element, "type") ?? ""
    return type.startsWith("math/tex")
      ? formulaOf(textOf(element).trim(), type.includes("display"))
      : undefined
  }
  if (!isElement(element, "span", "div")) return undefined
  const classes = classesOf(element)
  if (classes.some((name) => /^katex(?:-display)?$/.test(name))) {
    const math = elementsIn(element).find((inner: Nodes) => isElement(inner, "math"))
    return math === undefined
      ? undefined
      : formulaOf(
          texOfMathML(math as Element),
          classes.includes("katex-display") || attribute(math as Element, "display") === "block"
        )
  }
  if (!classes.some((name) => /^(?:math|arithmatex)$/.test(name))) return undefined
  const text = textOf(element).trim()
  for (const [pattern, isBlock] of delimiters) {
    const tex = pattern.exec(text)?.[1]?.trim()
    if (tex !== undefined) return formulaOf(tex, isBlock)
  }
  return undefined
}
