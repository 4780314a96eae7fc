/** Converts grids and cards to tables of HTML, in the form of GitBook. */
import type { Table, TableColumn, TableRecord } from "@lectern/model/document"
import { urlOf } from "../linkReferences.ts"
import { fileLabelKey } from "./htmlTableValues.ts"
import { escapeText } from "./htmlText.ts"
import { writeTag } from "./htmlTree.ts"
import { defaultMentionText } from "./inlineElements.ts"
import { writeFlow } from "./writeHtmlBlocks.ts"
import type { AddAnnotation } from "./writeHtmlInlines.ts"

/** Whether a table has content or settings without a form in Markdown. */
export const needsHtml = (table: Table): boolean => {
  const { data, fragments } = table
  const { view, definition, records, fullWidth, search } = data
  if (view.type === "cards" || view.hideHeader || view.columnWidths !== undefined) return true
  if (fullWidth !== undefined || search !== undefined) return true
  const hidden = Object.values(definition).filter(({ id }) => !view.columns.includes(id))
  if (hidden.some(({ title, titleFragment }) => title !== "" || titleFragment !== undefined)) return true
  if (hidden.length > 0 && (Object.keys(records).length === 0 || !areLast(table, hidden.length))) return true
  const columns = Object.values(definition)
  if (columns.some((column) => column.type !== "text" || column.verticalAlignment !== undefined)) return true
  if (hidden.some((column) => column.type === "text" && column.textAlignment !== "left")) return true
  return fragments.some(
    ({ nodes }) =>
      nodes.length > 1 || nodes.some((block) => block.type !== "paragraph" || block.data?.align !== undefined)
  )
}

/** Whether the hidden columns follow all columns of the view. */
const areLast = ({ data }: Table, hiddenCount: number): boolean => {
  const ids = Object.keys(data.definition)
  return ids.slice(0, ids.length - hiddenCount).every((id) => data.view.columns.includes(id))
}

/** The ids of the columns: in the order of their definition, unless the view has another order. */
const columnOrder = ({ data }: Table): ReadonlyArray<string> => {
  const defined = Object.keys(data.definition)
  const visible = data.view.columns.filter((id) => Object.hasOwn(data.definition, id))
  const isSame = defined.filter((id) => visible.includes(id)).every((id, index) => id === visible[index])
  return isSame ? defined : [...visible, ...defined.filter((id) => !visible.includes(id))]
}

/** Writes a table. */
export const writeTable = (table: Table, addAnnotation: AddAnnotation): string => {
  const { view, records, definition, fullWidth, search } = table.data
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment.nodes]))
  const columns = columnOrder(table).map((id) => definition[id]!)
  const inCell = (name: string) => writeFlow(fragments.get(name) ?? [], addAnnotation)
  const visible = new Set(view.columns)
  const isCards = view.type === "cards"
  const head = columns.map((column) => {
    const { id, title, titleFragment } = column
    const text = column.type === "text" ? column : undefined
    const tag = writeTag("th", {
      width: isCards ? undefined : view.columnWidths?.[id],
      align: text?.textAlignment === "left" && text.aligned !== true ? undefined : text?.textAlignment,
      valign: text?.verticalAlignment,
      "data-hidden": !visible.has(id),
      "data-card-target": isCards && view.targetDefinition === id,
      "data-card-cover": isCards && view.coverDefinition === id,
      "data-card-cover-dark": isCards && view.coverDefinitionDark === id,
      "data-type": column.type === "text" || column.type === "select" ? undefined : column.type,
      "data-multiple": column.type === "users" && column.multiple,
      "data-max": column.type === "rating" ? column.max : undefined
    })
    const content = titleFragment === undefined ? escapeText(title) : inCell(titleFragment)
    return `${tag}${content}${writeOptions(column)}</th>`
  })
  const rows = Object.values(records)
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .map((record) => `<tr>${columns.map((column) => writeCell(column, record, inCell)).join("")}</tr>`)
  const tag = writeTag("table", {
    "data-card-size": isCards && view.cardSize === "large" ? "large" : undefined,
    "data-column-title-hidden": isCards ? settingOf(view.hideColumnTitle) : undefined,
    "data-card-wrap": isCards ? view.wrap?.toString() : undefined,
    "data-header-hidden": !isCards && view.hideHeader,
    "data-view": isCards ? "cards" : undefined,
    "data-search": search?.toString(),
    "data-full-width": fullWidth?.toString()
  })
  return `${tag}<thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

/** A setting that has no value if it is true. */
const settingOf = (value: boolean | undefined): true | "false" | undefined =>
  value === undefined ? undefined : value || "false"

const writeOptions = (column: TableColumn): string => {
  if (column.type !== "select") return ""
  const options = column.options.map(
    ({ value, label, color }) => `${writeTag("option", { value, label, color })}</option>`
  )
  return `${writeTag("select", { multiple: column.multiple })}${options.join("")}</select>`
}

const linkTo = (url: string, label = defaultMentionText(url)): string =>
  `${writeTag("a", { href: url })}${escapeText(label)}</a>`

const writeCell = (
  column: TableColumn,
  { values, labels }: TableRecord,
  inCell: (name: string) => string
): string => {
  const value = Object.hasOwn(values, column.id) ? values[column.id] : undefined
  const labelOf = (key: string) =>
    labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
  const label = labelOf(column.id)
  if (column.type === "text") {
    const align =
      column.textAlignment === "left" && column.aligned !== true ? undefined : column.textAlignment
    const tag = writeTag("td", { align, valign: column.verticalAlignment })
    return `${tag}${typeof value === "string" ? inCell(value) : ""}</td>`
  }
  if (value === null || value === undefined) return "<td></td>"
  if (typeof value === "number" || typeof value === "boolean") return `<td>${value}</td>`
  if (typeof value === "string") return "<td></td>"
  if ("ref" in value) {
    const tag = writeTag("td", { "data-object-fit": value.objectFit })
    return `${tag}${linkTo(urlOf(value.ref), label)}</td>`
  }
  if ("kind" in value) return `<td>${linkTo(urlOf(value), label)}</td>`
  const items = value.map((item, index) =>
    column.type === "files"
      ? linkTo(filePattern.test(item) ? `/files/${item}` : item, labelOf(fileLabelKey(column.id, index)))
      : writeItem(column, item, index === value.length - 1)
  )
  return `<td>${items.join("")}</td>`
}

const filePattern = /^[A-Za-z0-9_~-]{1,64}$/

const writeItem = (column: TableColumn, item: string, isLast: boolean): string => {
  switch (column.type) {
    case "users":
      return linkTo(`/users/${item}`)
    case "select": {
      const label = column.options.find(({ value }) => value === item)?.label ?? ""
      return `${writeTag("span", { "data-option": item })}${escapeText(isLast ? label : `${label}, `)}</span>`
    }
    default:
      return ""
  }
}
