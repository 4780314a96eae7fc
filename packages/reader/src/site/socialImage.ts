/** The image of a page in previews of links: its title and its description, in the colors of the site. */
import { createHash } from "node:crypto"
import { escapeText } from "../html/Html.ts"
import type { DocumentPage } from "../source/PageIndex.ts"
import type { ReadableSite } from "./ReadableSite.ts"
import { reservedPath } from "./reservedPath.ts"

/** The path of images below the root of a space. */
const imagesPath = `${reservedPath}social/`

/** The size of an image in pixels, which websites recommend for previews. */
const size = { width: 1_200, height: 630 }

/** The distance of the text from the edges, in pixels. */
const margin = 80

/** The average width of a character, relative to the size of the font. */
const characterWidth = 0.56

/** Matches text in the scripts of the font. */
const supportedText =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u

/** Matches symbols that the font does not have. */
const symbols = /\p{Extended_Pictographic}|\p{Cc}/gu

const cleaned = (text: string): string => text.replaceAll(symbols, "").replaceAll(/\s+/g, " ").trim()

/** Breaks text into lines. The last line ends with an ellipsis if the text is longer. */
const linesOf = (text: string, fontSize: number, maximumLines: number): ReadonlyArray<string> => {
  const perLine = Math.floor((size.width - 2 * margin) / (fontSize * characterWidth))
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (longer.length <= perLine) line = longer
    else {
      if (line !== "") lines.push(line)
      line = word.slice(0, perLine)
    }
  }
  if (line !== "") lines.push(line)
  const shown = lines.slice(0, maximumLines)
  const last = shown.at(-1)
  if (lines.length > maximumLines && last !== undefined)
    shown[maximumLines - 1] = `${last.slice(0, perLine - 1)}…`
  return shown
}

interface TextStyle {
  readonly y: number
  readonly fontSize: number
  readonly isBold?: boolean
  readonly color: string
}

const textOf = (lines: ReadonlyArray<string>, { y, fontSize, isBold, color }: TextStyle): string =>
  lines
    .map(
      (line, index) =>
        `<text x="${margin}" y="${y + index * fontSize * 1.25}" font-family="Noto Sans" font-size="${fontSize}" font-weight="${isBold === true ? 700 : 400}" fill="${color}">${escapeText(line)}</text>`
    )
    .join("")

/** Returns the image of a page as SVG; `undefined` if the font does not have the characters of the title. */
export const socialSvg = (
  { customization, title: ownTitle }: ReadableSite,
  { title, description = "" }: Pick<DocumentPage, "title" | "description">
): string | undefined => {
  const siteTitle = cleaned(customization.title ?? ownTitle)
  const pageTitle = cleaned(title)
  if (pageTitle === "" || !supportedText.test(pageTitle + siteTitle)) return undefined
  const primary = customization.styling.primaryColor.light
  const accent = /^#[0-9a-f]{6}$/i.test(primary) ? primary : "#346ddb"
  const titleLines = linesOf(pageTitle, 76, 3)
  const subtitle = cleaned(description)
  const subtitleLines = supportedText.test(subtitle) ? linesOf(subtitle, 34, 5 - titleLines.length) : []
  const top = 270
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">`,
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    `<rect width="${size.width}" height="18" fill="${accent}"/>`,
    textOf(linesOf(siteTitle, 36, 1), { y: 130, fontSize: 36, isBold: true, color: accent }),
    textOf(titleLines, { y: top, fontSize: 76, isBold: true, color: "#111827" }),
    textOf(subtitleLines, { y: top + titleLines.length * 95 + 20, fontSize: 34, color: "#4b5563" }),
    "</svg>"
  ].join("")
}

/** Returns the path of the image of a page below the root of its space, with a query that changes with the image. */
export const socialImagePath = (site: ReadableSite, page: DocumentPage): string | undefined => {
  const svg = socialSvg(site, page)
  if (svg === undefined) return undefined
  const version = createHash("sha256").update(svg).digest("base64url").slice(0, 10)
  return `${imagesPath}${page.id}.png?v=${version}`
}

/** Returns the id of the page whose image has a path; `undefined` for other paths. */
export const pageOfImage = (path: string): string | undefined =>
  path.startsWith(imagesPath) && path.endsWith(".png")
    ? path.slice(imagesPath.length, -".png".length)
    : undefined
