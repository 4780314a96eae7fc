/** Converts a table of the syntax tree to the table of a document. */

import type { Paragraph, Table, TableColumn, TableFragment, TableRecord } from "@lectern/model/document"
import { generateNKeysBetween } from "fractional-indexing"
import type * as Mdast from "mdast"
import { type Definitions, plainText, toInlines } from "./inlinesFromMarkdown.ts"

type Phrasing = Mdast.TableCell["children"]

const isTag = (node: Mdast.PhrasingContent, tag: string): boolean =>
  node.type === "html" && node.value.toLowerCase() === tag

const isBlank = (node: Mdast.PhrasingContent): boolean => node.type === "text" && node.value.trim() === ""

/** Returns the paragraphs of a cell: its `p` elements, as in `<p>a</p><p>b</p>`, or else the whole cell. */
const paragraphsIn = (children: Phrasing): ReadonlyArray<Phrasing> => {
  const paragraphs: Array<Phrasing> = []
  let open: Phrasing | undefined
  for (const child of children) {
    if (isTag(child, "<p>") && open === undefined) open = []
    else if (isTag(child, "</p>") && open !== undefined) {
      paragraphs.push(open)
      open = undefined
    } else if (open !== undefined) open.push(child)
    else if (!isBlank(child)) return [children]
  }
  return open === undefined && paragraphs.length > 0 ? paragraphs : [children]
}

/** Whether a cell is one paragraph of text without marks, which the title of a column represents. */
const isPlain = ([paragraph, ...others]: ReadonlyArray<Phrasing>): boolean =>
  others.length === 0 && paragraph!.every((child) => child.type === "text")

/**
 * Converts a table. The ids of rows are `r0`, `r1` …, of columns `c0`, `c1` …, and of the fragments of cells `r0c1` ….
 */
export const toTable = (node: Mdast.Table, key: string, definitions: Definitions): Table => {
  const [header, ...rows] = node.children
  const fragments: Array<TableFragment> = []
  const fragment = (cell: Mdast.TableCell, name: string, type: string) => {
    const nodes = paragraphsIn(cell.children).map((children, index): Paragraph => {
      const paragraphKey = `${key}.${name}.${index}`
      const nodes = toInlines(children, paragraphKey, definitions)
      return { object: "block", type: "paragraph", key: paragraphKey, isVoid: false, nodes }
    })
    fragments.push({ object: "fragment", key: `${key}.${name}`, fragment: name, type, nodes })
    return name
  }

  const titles = header?.children ?? []
  const columnCount = rows.reduce((width, row) => Math.max(width, row.children.length), titles.length)
  const definition: Record<string, TableColumn> = {}
  for (let index = 0; index < columnCount; index++) {
    const title = titles[index]
    const align = node.align?.[index]
    const paragraphs = title === undefined ? [] : paragraphsIn(title.children)
    definition[`c${index}`] = {
      id: `c${index}`,
      title: paragraphs.map((children) => plainText(toInlines(children, "", definitions))).join(" "),
      type: "text",
      textAlignment: align ?? "left",
      ...(align === "left" ? { aligned: true } : {}),
      ...(title === undefined || isPlain(paragraphs)
        ? {}
        : { titleFragment: fragment(title, `hc${index}`, "table-title") })
    }
  }

  const order = generateNKeysBetween(null, null, rows.length)
  const records: Record<string, TableRecord> = {}
  for (const [index, row] of rows.entries()) {
    records[`r${index}`] = {
      orderIndex: order[index]!,
      values: Object.fromEntries(
        row.children.map((cell, column) => [
          `c${column}`,
          fragment(cell, `r${index}c${column}`, "table-cell")
        ])
      )
    }
  }

  return {
    object: "block",
    type: "table",
    key,
    isVoid: true,
    data: {
      view: { type: "grid", columns: titles.map((_, index) => `c${index}`), hideHeader: false },
      records,
      definition
    },
    fragments
  }
}
