/** Converts pages of other tools that are Markdown. */

import { stringify } from "@lectern/markdown/document"
import type { ConvertedPage, MarkdownSource } from "../../conversion/SourceTree.ts"
import { convertAlerts } from "../../foreign/alerts.ts"
import { hintBlock } from "../../foreign/blocks.ts"
import { codeLines, outsideCode } from "../../foreign/code.ts"
import { headingOf, splitFrontMatter, textOf, type Values } from "../support/values.ts"
import { convertAdmonitions } from "./admonitions.ts"
import { convertFences } from "./fences.ts"
import { joinLines } from "./joinLines.ts"
import { convertMdx } from "./mdx.ts"
import { convertMkdocs } from "./mkdocs.ts"

/** Removes the first heading of level 1, which is the title. */
const withoutTitle = (body: string): string => {
  const lines = body.split("\n")
  const index = lines.findIndex((line) => line.trim() !== "" && !/^(?:import|export)\b/.test(line))
  return index >= 0 && /^#[ \t]/.test(lines[index]!)
    ? [...lines.slice(0, index), ...lines.slice(index + 1)].join("\n")
    : body
}

/** Converts the ids that headings declare to anchors. */
const convertHeadings = (text: string): string => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  return lines
    .map((line, index) => {
      if (isCode[index] === true || !line.startsWith("#")) return line
      const found = /^(#{1,6}[ \t]+.*?)[ \t]*\{:?[ \t]*#([\w.:-]{1,200})(?:[ \t][^{}]*)?\}[ \t]*$/.exec(
        line.slice(0, 2000)
      )
      return found === null ? line : `${found[1]} <a href="#${found[2]}" id="${found[2]}"></a>`
    })
    .join("\n")
}

/** Normalizes destinations: the calls that Docusaurus uses for files, its alias of the project, and the sizes of Outline. */
const convertDestinations = (source: MarkdownSource, part: string): string => {
  if (source === "docusaurus") {
    return part
      .replaceAll(
        /(src|href|to)=\{(?:require|useBaseUrl)\(\s*['"]([^'"\n]{1,500})['"]\s*\)(?:\.default)?\}/g,
        '$1="$2"'
      )
      .replaceAll(/(\]\(|["'(])@site\//g, "$1/")
      .replaceAll("pathname:///", "/")
  }
  return source === "outline"
    ? part.replaceAll(/(\]\([^\s()]{1,1000}) "[^"\n]{0,200}=\d*x\d*"\)/g, "$1)")
    : part
}

/** Converts the asides of Notion, which are its callouts. */
const convertAsides = (text: string): string => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const written: Array<string> = []
  let open: Array<string> | undefined
  for (const [index, line] of lines.entries()) {
    const trimmed = isCode[index] === true ? "" : line.trim()
    if (open === undefined && trimmed === "<aside>") open = []
    else if (open !== undefined && trimmed === "</aside>") {
      written.push(hintBlock("info", undefined, open.join("\n")))
      open = undefined
    } else (open ?? written).push(line)
  }
  return [...written, ...(open === undefined ? [] : ["<aside>", ...open])].join("\n")
}

/** Converts the properties of a page of a database, which are lines after its title, to a list. */
const convertProperties = (body: string): string => {
  const lines = body.split("\n")
  const start = lines.findIndex((line) => line.trim() !== "")
  const property = /^([\p{L}\p{N}][^:\n`[\]]{0,60}): (\S.*)$/u
  let end = start
  while (end >= 0 && end < lines.length && property.test(lines[end]!)) end++
  if (start < 0 || end - start < 2 || (lines[end] ?? "").trim() !== "") return body
  return [
    ...lines.slice(0, start),
    ...lines.slice(start, end).map((line) => line.replace(property, "* **$1:** $2")),
    ...lines.slice(end)
  ].join("\n")
}

/** Converts the operation of an API that the front matter of a page of Mintlify names. */
const operationOf = (values: Values, problems: Set<string>): string => {
  const written = textOf(values.openapi)
  if (written === undefined && values.api === undefined) return ""
  const found = /^(?:(\S+\.(?:json|ya?ml))\s+)?(get|post|put|patch|delete|head|options)\s+(\/\S*)$/i.exec(
    written ?? ""
  )
  if (found?.[1] !== undefined && !/^https?:/.test(found[1])) {
    const path = `/${found[1].replace(/^\//, "")}`
    return `{% openapi src="${path}" path="${found[3]}" method="${found[2]!.toLowerCase()}" %}\n[${found[1]}](${path})\n{% endopenapi %}\n\n`
  }
  problems.add(
    `The page shows the operation ${(written ?? textOf(values.api) ?? "").slice(0, 200)}: register its specification, and add the operation to the page.`
  )
  return ""
}

const isMdx = (source: MarkdownSource): boolean => source === "docusaurus" || source === "mintlify"

/** Converts a page. Its links are unchanged. */
export const convertMarkdown = (source: MarkdownSource, text: string): ConvertedPage => {
  const problems = new Set<string>()
  const { values, body: whole } = splitFrontMatter(text.replaceAll("\r\n", "\n"))
  const title = textOf(values.title) ?? headingOf(whole)
  let body = withoutTitle(whole)
  if (source === "docusaurus" || source === "outline") {
    body = outsideCode(body, (part) => convertDestinations(source, part))
  }
  if (source === "notion") body = convertAsides(convertProperties(body))
  if (source === "mkdocs") body = convertMkdocs(body, problems)
  if (isMdx(source)) body = convertMdx(body, problems)
  if (source === "docusaurus" || source === "outline") body = convertAdmonitions(body, source === "outline")
  body = convertAlerts(body)
  body = convertHeadings(convertFences(body, source === "mintlify"))
  if (isMdx(source) || source === "mkdocs") body = joinLines(body)
  if (source === "mintlify") body = operationOf(values, problems) + body
  const icon = textOf(values.icon)
  return {
    markdown: body.replace(/^(?:[ \t]*\n)+/, ""),
    title,
    description: textOf(values.description),
    icon:
      icon !== undefined && /^[a-z][a-z\d-]{0,60}$/.test(icon) && source === "mintlify" ? icon : undefined,
    problems: [...problems]
  }
}

/** The maximum numbers of rows and columns of a database in a page. */
const maximumRows = 1000
const maximumColumns = 50

/** Parses the cells of CSV. */
const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  for (
    let at = text.startsWith("\u{feff}") ? 1 : 0;
    at < text.length && rows.length <= maximumRows + 2;
    at = cell.lastIndex
  ) {
    cell.lastIndex = at
    const found = cell.exec(text)
    if (found === null || cell.lastIndex === at) break
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "")
    if (found[3] !== ",") rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

/** Converts a database of Notion in CSV to a page with a table. */
export const convertCsv = (text: string): ConvertedPage => {
  const rows = parseCsv(text)
  const width = Math.min(rows[0]?.length ?? 0, maximumColumns)
  const shown = rows.slice(0, maximumRows + 1)
  const problems = [
    "Views, formulas and relations of the database are not imported: the page has a table of its rows.",
    ...(rows.length > shown.length ? [`The table has the first ${maximumRows} rows.`] : [])
  ]
  const markdown =
    width === 0
      ? ""
      : stringify({
          type: "root",
          children: [
            {
              type: "table",
              children: shown.map((row) => ({
                type: "tableRow",
                children: Array.from({ length: width }, (_, index) => ({
                  type: "tableCell",
                  children: [{ type: "text", value: (row[index] ?? "").replaceAll(/\s+/g, " ").trim() }]
                }))
              }))
            }
          ]
        })
  return { markdown, title: undefined, description: undefined, icon: undefined, problems }
}
