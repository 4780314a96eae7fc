/** Finds the styles of code, quotes and captions in a docx document: by their names, fonts, and the styles that they are based on. */
import { parseXml, XmlElement } from "@rgrove/parse-xml"

/** The meaning of a style. */
export type StyleMeaning = "code" | "quote" | "caption"

/** The meanings of the styles of a document, by their ids. */
export interface StyleMeanings {
  readonly paragraphs: ReadonlyMap<string, StyleMeaning>
  readonly runs: ReadonlyMap<string, StyleMeaning>
}

/** The maximum size of the declarations of styles, in characters. */
const maxLength = 4_000_000

const meaningPatterns: ReadonlyArray<readonly [meaning: StyleMeaning, pattern: RegExp]> = [
  [
    "code",
    /^(?:source ?code|code|code ?block|preformatted(?: text)?|html ?preformatted|html ?code|html ?typewriter|verbatim(?: char)?|source ?text|macro(?: ?text)?|listing)(?: char| text| block)?$/i
  ],
  ["quote", /^(?:(?:intense |block )?quot(?:e|es|ation|ations)|block ?text|block ?quot(?:e|ation))$/i],
  ["caption", /^(?:(?:image|table|figure) ?caption|caption|figure|illustration|drawing)$/i]
]

const monospaced =
  /courier|consolas|monaco|menlo|mono\b|monospace|lucida console|fixedsys|source code|fira code|inconsolata|cascadia/i

/** Returns whether a font has characters of equal widths. */
export const isMonospaced = (font: string | null | undefined): boolean =>
  font !== null && font !== undefined && monospaced.test(font)

/** Returns the meaning of a name; undefined for other names. */
export const meaningOfName = (name: string | null | undefined): StyleMeaning | undefined =>
  name === null || name === undefined || name.length > 200
    ? undefined
    : meaningPatterns.find(([, pattern]) => pattern.test(name.trim()))?.[0]

const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child): child is XmlElement => child instanceof XmlElement && child.name === name)

const valueOf = (element: XmlElement, name: string): string | undefined =>
  childOf(element, name)?.attributes["w:val"]

/** A style: its own meaning, and the style that it is based on. */
interface Style {
  readonly type: string | undefined
  readonly meaning: StyleMeaning | undefined
  readonly base: string | undefined
}

/** Returns the meanings of the styles that the XML declares. Malformed XML declares none. */
export const readStyles = (xml: string): StyleMeanings => {
  const styles = new Map<string, Style>()
  try {
    const root = xml.length > maxLength ? null : parseXml(xml).root
    for (const element of root?.children ?? []) {
      if (!(element instanceof XmlElement) || element.name !== "w:style") continue
      const id = element.attributes["w:styleId"]
      if (id === undefined) continue
      const properties = childOf(element, "w:rPr")
      const font =
        properties === undefined ? undefined : childOf(properties, "w:rFonts")?.attributes["w:ascii"]
      styles.set(id, {
        type: element.attributes["w:type"],
        meaning: meaningOfName(valueOf(element, "w:name")) ?? (isMonospaced(font) ? "code" : undefined),
        base: valueOf(element, "w:basedOn")
      })
    }
  } catch {
    return { paragraphs: new Map(), runs: new Map() }
  }
  const meaningOf = (id: string): StyleMeaning | undefined => {
    let at: string | undefined = id
    for (let depth = 0; at !== undefined && depth < 20; depth++) {
      const style = styles.get(at)
      if (style?.meaning !== undefined) return style.meaning
      at = style?.base
    }
    return undefined
  }
  const ofType = (type: string): ReadonlyMap<string, StyleMeaning> =>
    new Map(
      [...styles].flatMap(([id, style]) => {
        const meaning = style.type === type ? meaningOf(id) : undefined
        return meaning === undefined ? [] : [[id, meaning] as const]
      })
    )
  return { paragraphs: ofType("paragraph"), runs: ofType("character") }
}
