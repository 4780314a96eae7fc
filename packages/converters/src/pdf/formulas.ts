/// <reference path="./mathjax.d.ts" />
/** Typesets formulas in TeX with MathJax, and converts its SVG to shapes. */
import type { LiteNode, MathJaxObject } from "mathjax"
import { type Graphic, identity, type Matrix, multiply, type Shape } from "./graphics.ts"

/** The maximum length of a formula, in characters. */
const maxFormulaLength = 4000

/** The maximum number of formulas in the cache of a document. */
const maxCachedFormulas = 2000

/** The units of MathJax per em, and the size of an ex. */
const unitsPerEm = 1000

/**
 * The packages of TeX. Packages that define macros are excluded: a definition would apply to the formulas of other
 * documents, too.
 */
const packages = [
  "base",
  "ams",
  "bbox",
  "boldsymbol",
  "braket",
  "cancel",
  "cases",
  "centernot",
  "color",
  "enclose"
]
const morePackages = ["extpfeil", "gensymb", "mathtools", "mhchem", "textmacros", "unicode", "upgreek"]

let loading: Promise<MathJaxObject> | undefined

const loadMathJax = (): Promise<MathJaxObject> => {
  loading ??= import("mathjax").then(({ default: mathJax }) =>
    mathJax.init({
      loader: { load: ["input/tex-full", "output/svg"] },
      tex: { packages: [...packages, ...morePackages], maxMacros: 1000, tags: "none" },
      svg: { fontCache: "none" },
      startup: { typeset: false }
    })
  )
  return loading
}

/** The formulas of a document. Load it before the first formula is typeset. */
export class Formulas {
  private mathJax: MathJaxObject | undefined
  private readonly cache = new Map<string, Graphic | undefined>()

  /** Loads MathJax if the Markdown may contain formulas. */
  async loadFor(markdown: string): Promise<void> {
    if (this.mathJax === undefined && markdown.includes("$$")) this.mathJax = await loadMathJax()
  }

  /** Typesets a formula. Returns `undefined` if it is invalid or too long. */
  typeset(formula: string, isDisplayed: boolean): Graphic | undefined {
    const key = `${isDisplayed}${formula}`
    if (this.cache.has(key)) return this.cache.get(key)
    const graphic = this.mathJax === undefined ? undefined : render(this.mathJax, formula, isDisplayed)
    if (this.cache.size >= maxCachedFormulas) this.cache.clear()
    this.cache.set(key, graphic)
    return graphic
  }
}

const render = (mathJax: MathJaxObject, formula: string, display: boolean): Graphic | undefined => {
  if (formula.trim() === "" || formula.length > maxFormulaLength) return undefined
  try {
    mathJax.texReset()
    const container = mathJax.tex2svg(formula, { display })
    const svg = container.children?.find(({ kind }) => kind === "svg")
    return svg === undefined ? undefined : toGraphic(svg, formula)
  } catch {
    // MathJax throws errors of various types for formulas that it does not support.
    return undefined
  }
}

/** A formula has an unsupported part, or an error of TeX. */
class Unsupported extends Error {}

const toGraphic = (svg: LiteNode, formula: string): Graphic => {
  const [, top, width, height] = numbersOf(svg.attributes?.viewBox) as [number, number, number, number]
  if (![top, width, height].every(Number.isFinite)) throw new Unsupported()
  const scale = 1 / unitsPerEm
  const shapes: Array<Shape> = []
  addShapes(svg, [scale, 0, 0, scale, 0, 0], undefined, 0, shapes)
  return {
    type: "Formula",
    alternative: formula,
    width: width * scale,
    ascent: -top * scale,
    descent: (height + top) * scale,
    shapes
  }
}

const numbersOf = (value: unknown): ReadonlyArray<number> =>
  String(value ?? "")
    .split(/[\s,]+/)
    .map(Number)

const numberOf = (node: LiteNode, name: string): number => {
  const value = Number.parseFloat(String(node.attributes?.[name] ?? 0))
  return Number.isFinite(value) ? value : 0
}

/** Parses a list of transformations such as `translate(1,2) scale(1,-1)`. */
const matrixOf = (value: unknown): Matrix => {
  let matrix = identity
  for (const [, name, list] of String(value ?? "").matchAll(/(translate|scale|matrix)\(([^)]*)\)/g)) {
    const [a = 0, b, c = 0, d = 0, e = 0, f = 0] = numbersOf(list!.trim())
    if (name === "translate") matrix = multiply(matrix, [1, 0, 0, 1, a, b ?? 0])
    else if (name === "scale") matrix = multiply(matrix, [a, 0, 0, b ?? a, 0, 0])
    else matrix = multiply(matrix, [a, b ?? 0, c, d, e, f])
  }
  return matrix
}

const hexColor = /^#[0-9a-f]{6}$/i

/** The names of colors of CSS that formulas use most. Others are black. */
const namedColors: Readonly<Record<string, string>> = {
  red: "#ff0000",
  blue: "#0000ff",
  green: "#008000",
  orange: "#ffa500",
  purple: "#800080",
  gray: "#808080",
  teal: "#008080",
  magenta: "#ff00ff",
  cyan: "#00a0a0",
  brown: "#a52a2a",
  white: "#ffffff"
}

const colorOf = (value: unknown, inherited: string | undefined): string | undefined => {
  const name = String(value ?? "").toLowerCase()
  if (name === "" || name === "currentcolor" || name === "none") return inherited
  return hexColor.test(name) ? name : (namedColors[name] ?? inherited)
}

const addShapes = (
  node: LiteNode,
  outer: Matrix,
  inherited: string | undefined,
  depth: number,
  shapes: Array<Shape>
): void => {
  if (depth > 200 || node.attributes?.["data-mml-node"] === "merror") throw new Unsupported()
  const attributes = node.attributes ?? {}
  const matrix = multiply(outer, matrixOf(attributes.transform))
  const color = colorOf(attributes.fill, colorOf(attributes.stroke, inherited))
  const common = { matrix, ...(color === undefined ? {} : { color }) }
  const strokeWidth = numberOf(node, "stroke-width")
  switch (node.kind) {
    case "svg":
    case "g": {
      const inner = node.kind === "svg" && depth > 0 ? multiply(matrix, nestedViewport(node)) : matrix
      for (const child of node.children ?? []) addShapes(child, inner, color, depth + 1, shapes)
      return
    }
    case "path": {
      const path = withExplicitCurves(String(attributes.d ?? ""))
      if (path !== "") shapes.push({ ...common, path })
      return
    }
    case "rect": {
      if (attributes["data-background"] === "true") return
      const [x, y] = [numberOf(node, "x"), numberOf(node, "y")]
      const [width, height] = [numberOf(node, "width"), numberOf(node, "height")]
      const path = `M${x} ${y}H${x + width}V${y + height}H${x}Z`
      shapes.push(attributes.fill === "none" ? { ...common, path, strokeWidth } : { ...common, path })
      return
    }
    case "line": {
      const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => numberOf(node, name))
      shapes.push({ ...common, path: `M${x1} ${y1}L${x2} ${y2}`, strokeWidth })
      return
    }
    case "text": {
      const text = (node.children ?? []).map(({ value }) => value ?? "").join("")
      shapes.push({ ...common, text, size: numberOf(node, "font-size") })
    }
  }
}

/** Matches a command of the paths of MathJax, whose coordinates are absolute. */
const pathCommand = /([MLHVQTZ])([^MLHVQTZ]*)/g

/**
 * Replaces the smooth curves (`T`) of a path with curves that have a control point. pdfkit reflects the wrong point if
 * several smooth curves follow each other.
 */
const withExplicitCurves = (path: string): string => {
  let [x, y, controlX, controlY] = [0, 0, 0, 0]
  let output = ""
  for (const [, command, list] of path.matchAll(pathCommand)) {
    const numbers = list!.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
    const [a = 0, b = 0, c = 0, d = 0] = numbers
    switch (command) {
      case "Q":
        ;[controlX, controlY, x, y] = [a, b, c, d]
        output += `Q${a} ${b} ${c} ${d}`
        continue
      case "T":
        ;[controlX, controlY] = [2 * x - controlX, 2 * y - controlY]
        ;[x, y] = [a, b]
        output += `Q${controlX} ${controlY} ${x} ${y}`
        continue
      case "H":
        x = a
        break
      case "V":
        y = a
        break
      case "Z":
        output += "Z"
        continue
      default:
        ;[x, y] = [a, b]
    }
    ;[controlX, controlY] = [x, y]
    output += `${command === "M" ? "M" : "L"}${x} ${y}`
  }
  return output
}

/** Returns the matrix of an inner `svg`, which MathJax uses for stretched characters. */
const nestedViewport = (node: LiteNode): Matrix => {
  const [left = 0, top = 0, width = 0, height = 0] = numbersOf(node.attributes?.viewBox)
  if (!(width > 0 && height > 0)) return identity
  const [scaleX, scaleY] = [numberOf(node, "width") / width, numberOf(node, "height") / height]
  return [scaleX, 0, 0, scaleY, numberOf(node, "x") - left * scaleX, numberOf(node, "y") - top * scaleY]
}
