/** Colors, fonts and dimensions of documents. Sizes are in points (1/72 inch). */
import type { Style } from "./lines.ts"

/** The dimensions of an A4 page, and its margins. */
export const paper = { width: 595.28, height: 841.89, left: 64, right: 64, top: 64, bottom: 76 }

export const colors = {
  text: "#1f2328",
  quiet: "#59636e",
  link: "#0b57d0",
  bar: "#d0d7de",
  rule: "#d8dee4",
  shade: "#f3f5f7",
  head: "#eaeef2",
  paper: "#ffffff"
}

/** The colors of hints by style: background, and the icon with the bar at the left. */
export const hintColors: Readonly<Record<string, { readonly fill: string; readonly accent: string }>> = {
  info: { fill: "#eaf2fd", accent: "#0b57d0" },
  success: { fill: "#e9f6ec", accent: "#1a7f37" },
  warning: { fill: "#fdf5e0", accent: "#9a6700" },
  danger: { fill: "#fdecec", accent: "#c21d28" }
}

/** The colors of marked text, with a contrast of at least 4.5 on white. */
export const markColors: Readonly<Record<string, string>> = {
  green: "#1a7f37",
  blue: "#0b57d0",
  red: "#c21d28",
  orange: "#b35900",
  yellow: "#7d5d00",
  purple: "#7a3bb8",
  $primary: "#0b57d0",
  $info: "#0b57d0",
  $success: "#1a7f37",
  $warning: "#9a6700",
  $danger: "#c21d28"
}

/** The background colors of marked text. */
export const markBackgrounds: Readonly<Record<string, string>> = {
  green: "#d8f3df",
  blue: "#dbe9fd",
  red: "#fde0e1",
  orange: "#fde6cf",
  yellow: "#fdf3c4",
  purple: "#eedffa",
  $primary: "#dbe9fd",
  $info: "#dbe9fd",
  $success: "#d8f3df",
  $warning: "#fdf3c4",
  $danger: "#fde0e1"
}

const style = (face: Style["face"], size: number, color = colors.text): Style => ({ face, size, color })

export const styles = {
  body: style("regular", 10.5),
  quiet: style("regular", 10.5, colors.quiet),
  cell: style("regular", 9),
  cellHead: style("bold", 9),
  code: style("mono", 8.5),
  codeTitle: style("mono", 8.5, colors.quiet),
  caption: style("regular", 9, colors.quiet),
  label: style("bold", 10.5),
  title: style("bold", 22),
  description: style("regular", 12, colors.quiet),
  coverTitle: style("bold", 34),
  coverAbout: style("regular", 15, colors.quiet),
  footer: style("regular", 8.5, colors.quiet),
  headings: [
    style("bold", 17),
    style("bold", 14.5),
    style("bold", 12.5),
    style("bold", 11),
    style("bold", 10.5),
    style("bold", 10.5, colors.quiet)
  ]
}

/** The space between blocks, and the indentation of lists and quotes. */
export const space = { block: 9, item: 3, heading: 16, indent: 20 }
