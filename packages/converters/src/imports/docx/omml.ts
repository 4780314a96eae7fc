/** Converts formulas of Office Math Markup (OMML) to TeX. */
import { parseXml, XmlElement, type XmlNode } from "@rgrove/parse-xml"
import { accents, functionNames, symbols, texOfCharacter } from "./texSymbols.ts"

/** The maximum depth of a formula. */
const maxDepth = 100

const elementsOf = (element: XmlElement): ReadonlyArray<XmlElement> =>
  element.children.filter((child: XmlNode): child is XmlElement => child instanceof XmlElement)

const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(element).find((child) => child.name === `m:${name}`)

const childrenOf = (element: XmlElement, name: string): ReadonlyArray<XmlElement> =>
  elementsOf(element).filter((child) => child.name === `m:${name}`)

/** Returns the value of a property, such as `m:chr` in `m:accPr`; undefined if it is absent. */
const propertyOf = (element: XmlElement, name: string): string | undefined => {
  const properties = elementsOf(element).find(
    (child) => child.name.endsWith("Pr") && child.name !== "m:ctrlPr"
  )
  const property = properties === undefined ? undefined : childOf(properties, name)
  return property === undefined ? undefined : (property.attributes["m:val"] ?? "")
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && !["0", "off", "false"].includes(value)

/** Returns TeX as one unit, which scripts can follow. */
const unit = (tex: string): string =>
  /^(?:[A-Za-z0-9]|\\[A-Za-z]+ ?)$/.test(tex) ? tex.trimEnd() : `{${tex}}`

/** Returns TeX as an argument of a command. */
const argument = (tex: string): string => `{${tex.trim()}}`

const openingDelimiters: Readonly<Record<string, string>> = { "{": "\\{", "}": "\\}", "": "." }
const delimiterOf = (character: string): string =>
  openingDelimiters[character] ??
  (/^[()[\]|/]$/.test(character) ? character : (symbols.get(character) ?? "."))

/** The environments of matrices by their delimiters. */
const matrices: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
  "‖‖": "Vmatrix"
}

const scripts: Readonly<Record<string, string>> = {
  "double-struck": "mathbb",
  script: "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt"
}

/** Converts the text of a run, with its style. */
const texOfRun = (run: XmlElement, isAligned: boolean): string => {
  const text = elementsOf(run)
    .filter(({ name }) => name === "m:t" || name === "w:t")
    .map((child) => child.text)
    .join("")
  const properties = childOf(run, "rPr")
  const value = (name: string) =>
    properties === undefined ? undefined : childOf(properties, name)?.attributes["m:val"]
  if (properties !== undefined && childOf(properties, "nor") !== undefined) {
    return text.trim() === ""
      ? text.replaceAll(/\s/g, "\\ ")
      : `\\text{${text.replaceAll(/[\\{}$&#%_^~]/g, (one) => (/[\\^~]/.test(one) ? " " : `\\${one}`))}}`
  }
  const tex = Array.from(text, (character) => texOfCharacter(character, isAligned)).join("")
  const isWord = /^[A-Za-z]+$/.test(text)
  const script = scripts[value("scr") ?? ""]
  if (script !== undefined && /^[A-Za-z0-9]+$/.test(text)) return `\\${script}{${text}}`
  const style = value("sty")
  if (style === "b" && /^[A-Za-z0-9]+$/.test(text)) return `\\mathbf{${text}}`
  if (style === "bi" && tex !== "") return `\\boldsymbol{${tex.trim()}}`
  if (functionNames.has(text)) return `\\${text} `
  return style === "p" && isWord ? `\\mathrm{${text}}` : tex
}

/** Converts elements in sequence. A command before a letter ends with a space. */
const texOfAll = (element: XmlElement | undefined, depth: number, isAligned = false): string =>
  element === undefined
    ? ""
    : elementsOf(element)
        .map((child) => texOf(child, depth + 1, isAligned))
        .join("")

const texOfMatrix = (matrix: XmlElement, depth: number): string =>
  childrenOf(matrix, "mr")
    .map((row) =>
      childrenOf(row, "e")
        .map((cell) => texOfAll(cell, depth + 1).trim())
        .join(" & ")
    )
    .join(" \\\\ ")

const texOfEquations = (array: XmlElement, depth: number): string =>
  childrenOf(array, "e")
    .map((equation) => texOfAll(equation, depth + 1, true).trim())
    .join(" \\\\ ")

/** Returns the only element of another one, apart from its properties. */
const onlyElement = (element: XmlElement | undefined): XmlElement | undefined => {
  const inner = element === undefined ? [] : elementsOf(element).filter(({ name }) => !name.endsWith("Pr"))
  return inner.length === 1 ? inner[0] : undefined
}

const texOfDelimiters = (element: XmlElement, depth: number): string => {
  const [open, close] = [propertyOf(element, "begChr") ?? "(", propertyOf(element, "endChr") ?? ")"]
  const parts = childrenOf(element, "e")
  const only = parts.length === 1 ? onlyElement(parts[0]) : undefined
  const environment = Object.hasOwn(matrices, open + close) ? matrices[open + close] : undefined
  if (only?.name === "m:m" && environment !== undefined) {
    return `\\begin{${environment}} ${texOfMatrix(only, depth)} \\end{${environment}}`
  }
  if (only?.name === "m:eqArr" && open === "{" && close === "") {
    return `\\begin{cases} ${texOfEquations(only, depth)} \\end{cases}`
  }
  if (only?.name === "m:f" && propertyOf(only, "type") === "noBar" && open + close === "()") {
    return `\\binom${fractionArguments(only, depth)}`
  }
  const separator = propertyOf(element, "sepChr") ?? "|"
  const middle = parts
    .map((part) => texOfAll(part, depth))
    .join(separator === "" ? "" : ` ${texOfCharacter(separator)} `)
  return `\\left${spaced(delimiterOf(open))}${middle.trim()}\\right${spaced(delimiterOf(close))}`
}

/** Separates a command from a letter that follows. */
const spaced = (command: string): string => (/[A-Za-z]$/.test(command) ? `${command} ` : command)

const fractionArguments = (fraction: XmlElement, depth: number): string =>
  argument(texOfAll(childOf(fraction, "num"), depth)) + argument(texOfAll(childOf(fraction, "den"), depth))

const texOfFraction = (element: XmlElement, depth: number): string => {
  const type = propertyOf(element, "type")
  if (type === "noBar") return `\\genfrac{}{}{0pt}{}${fractionArguments(element, depth)}`
  if (type !== "lin") return `\\frac${fractionArguments(element, depth)}`
  return `${unit(texOfAll(childOf(element, "num"), depth))}/${unit(texOfAll(childOf(element, "den"), depth))}`
}

const script = (mark: "_" | "^", element: XmlElement | undefined, depth: number): string => {
  const tex = texOfAll(element, depth).trim()
  return tex === "" ? "" : `${mark}${argument(tex)}`
}

const texOfLargeOperator = (element: XmlElement, depth: number): string => {
  const character = propertyOf(element, "chr") ?? "∫"
  const operator = symbols.get(character) ?? `\\operatorname*{${texOfCharacter(character)}}`
  const isIntegral = /int$/.test(operator)
  const limits = isIntegral && propertyOf(element, "limLoc") === "undOvr" ? "\\limits" : ""
  const below = isOn(propertyOf(element, "subHide")) ? "" : script("_", childOf(element, "sub"), depth)
  const above = isOn(propertyOf(element, "supHide")) ? "" : script("^", childOf(element, "sup"), depth)
  return `${spaced(operator + limits + below + above)}${texOfAll(childOf(element, "e"), depth)}`
}

/** Converts a base with something below or above it: limits, braces, or another formula. */
const texOfLimit = (element: XmlElement, isBelow: boolean, depth: number): string => {
  const base = texOfAll(childOf(element, "e"), depth).trim()
  const limit = argument(texOfAll(childOf(element, "lim"), depth))
  if (/^\\(?:under|over)brace\{/.test(base) || (base.startsWith("\\") && functionNames.has(base.slice(1)))) {
    return `${base}${isBelow ? "_" : "^"}${limit} `
  }
  return `\\${isBelow ? "underset" : "overset"}${limit}${argument(base)}`
}

const texOfGroup = (element: XmlElement, depth: number): string => {
  const [character, isTop] = [propertyOf(element, "chr") ?? "⏟", propertyOf(element, "pos") === "top"]
  const base = argument(texOfAll(childOf(element, "e"), depth))
  if (character === "⏟") return `\\underbrace${base}`
  if (character === "⏞") return `\\overbrace${base}`
  return `\\${isTop ? "overset" : "underset"}{${texOfCharacter(character).trim()}}${base}`
}

type Convert = (element: XmlElement, depth: number) => string

const base: Convert = (element, depth) => unit(texOfAll(childOf(element, "e"), depth))

const converters: Readonly<Record<string, Convert>> = {
  "m:f": texOfFraction,
  "m:sSup": (element, depth) => base(element, depth) + script("^", childOf(element, "sup"), depth),
  "m:sSub": (element, depth) => base(element, depth) + script("_", childOf(element, "sub"), depth),
  "m:sSubSup": (element, depth) =>
    base(element, depth) +
    script("_", childOf(element, "sub"), depth) +
    script("^", childOf(element, "sup"), depth),
  "m:sPre": (element, depth) =>
    `{}${script("_", childOf(element, "sub"), depth)}${script("^", childOf(element, "sup"), depth)}${base(element, depth)}`,
  "m:rad": (element, depth) => {
    const degree = isOn(propertyOf(element, "degHide")) ? "" : texOfAll(childOf(element, "deg"), depth).trim()
    return `\\sqrt${degree === "" ? "" : `[${argument(degree)}]`}${argument(texOfAll(childOf(element, "e"), depth))}`
  },
  "m:nary": texOfLargeOperator,
  "m:d": texOfDelimiters,
  "m:m": (element, depth) => `\\begin{matrix} ${texOfMatrix(element, depth)} \\end{matrix}`,
  "m:eqArr": (element, depth) => `\\begin{aligned} ${texOfEquations(element, depth)} \\end{aligned}`,
  "m:func": (element, depth) =>
    `${spaced(texOfAll(childOf(element, "fName"), depth).trim())}${texOfAll(childOf(element, "e"), depth)}`,
  "m:limLow": (element, depth) => texOfLimit(element, true, depth),
  "m:limUpp": (element, depth) => texOfLimit(element, false, depth),
  "m:acc": (element, depth) => {
    const character = propertyOf(element, "chr") ?? "\u0302"
    const inner = argument(texOfAll(childOf(element, "e"), depth))
    const command = Object.hasOwn(accents, character) ? accents[character]! : "hat"
    return `\\${command}${inner}`
  },
  "m:bar": (element, depth) =>
    `\\${propertyOf(element, "pos") === "top" ? "overline" : "underline"}${argument(texOfAll(childOf(element, "e"), depth))}`,
  "m:groupChr": texOfGroup,
  "m:borderBox": (element, depth) => `\\boxed${argument(texOfAll(childOf(element, "e"), depth))}`,
  "m:phant": (element, depth) => {
    const inner = argument(texOfAll(childOf(element, "e"), depth))
    const show = propertyOf(element, "show")
    return show === undefined || isOn(show) ? inner : `\\phantom${inner}`
  }
}

const texOf = (element: XmlElement, depth: number, isAligned: boolean): string => {
  if (depth > maxDepth || element.name.endsWith("Pr")) return ""
  if (element.name === "m:r" || element.name === "w:r") return texOfRun(element, isAligned)
  return converters[element.name]?.(element, depth) ?? texOfAll(element, depth, isAligned)
}

/**
 * Returns the TeX of formulas: the source of an `m:oMath` or an `m:oMathPara`, whose formulas are lines. Returns undefined for
 * markup that is not well-formed.
 */
export const ommlToTex = (source: string): string | undefined => {
  try {
    const { root } = parseXml(source)
    if (root === null) return undefined
    const formulas = root.name === "m:oMathPara" ? childrenOf(root, "oMath") : [root]
    const lines = formulas
      .map((formula) => texOfAll(formula, 0).replaceAll(/ {2,}/g, " ").trim())
      .filter((tex) => tex !== "")
    return lines.length > 1 ? `\\begin{gathered} ${lines.join(" \\\\ ")} \\end{gathered}` : (lines[0] ?? "")
  } catch {
    return undefined
  }
}
