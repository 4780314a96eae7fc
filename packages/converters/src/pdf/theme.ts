/** Colors, fonts and dimensions of documents. Sizes are in points (1/72 inch). */
import type { Style } from "./lines.ts"

/** The dimensions of an A4 page, and its margins. */
export const paper = { width: 595.28, height: 841.89, left: 64, right: 64, top: 64, bottom: 76 }

export const colors = {
  text: "#1f2328",
  quiet: "#656d76",
  link: "#0b57d0",
  bar: "#d0d7de",
  rule: "#d8dee4",
  shade: "#f3f5f7",
  head: "#eaeef2"
}

const style = (face: Style["face"], size: number, color = colors.text): Style => ({ face, size, color })

export const styles = {
  body: style("regular", 10.5),
  quiet: style("regular", 10.5, colors.quiet),
  cell: style("regular", 9),
  cellHead: style("bold", 9),
  code: style("mono", 8.5),
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
