/** Renders tables: grids, cards, and their typed values. */
import type { DocumentBlock } from "@lectern/core"
import { type Content, classes, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { renderBlocks } from "./blocks.ts"
import type { ImageRef, LinkRef } from "./DocumentContext.ts"
import { imageElement } from "./images.ts"
import { renderInlines } from "./inlines.ts"
import type { Renderer } from "./Renderer.ts"

type Table = DocumentBlock.Table
type Column = DocumentBlock.TableColumn
type Value = DocumentBlock.TableValue
type Row = DocumentBlock.TableRecord
type Fragments = ReadonlyMap<string, DocumentBlock.TableFragment>

/** The blocks of a cell. A single paragraph is text without a paragraph. */
const renderFragment = (renderer: Renderer, found: DocumentBlock.TableFragment | undefined): Html => {
  const [first, ...rest] = found?.nodes ?? []
  if (first === undefined) return nothing
  return first.type === "paragraph"
    ? fragment(renderInlines(renderer, first.nodes), renderBlocks(renderer, rest))
    : renderBlocks(renderer, found!.nodes)
}

const isImageRef = (ref: { readonly kind: string }): ref is ImageRef =>
  ref.kind === "file" || ref.kind === "url"

/** Returns the target of a value of a column of targets. */
const targetOf = (value: Value | undefined): LinkRef | undefined =>
  typeof value === "object" && value !== null && "kind" in value ? (value as LinkRef) : undefined

/** Returns the image of a value of a column of images or targets. */
const imageOf = (value: Value | undefined): { ref: ImageRef; objectFit?: string } | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  if ("ref" in value)
    return { ref: value.ref, ...(value.objectFit === undefined ? {} : { objectFit: value.objectFit }) }
  const target = targetOf(value)
  return target !== undefined && isImageRef(target) ? { ref: target } : undefined
}

const renderTarget = (renderer: Renderer, ref: LinkRef, label: string | undefined): Content => {
  const link = renderer.context.link(ref)
  if (link === undefined) return label ?? ""
  return element("a", renderer.linkAttributes(link), link.icon, label ?? link.title ?? link.href)
}

const renderRating = (renderer: Renderer, value: number, max: number): Html => {
  const most = Math.min(Math.max(Math.round(max), 1), 10)
  const stars = Math.min(Math.max(Math.round(value), 0), most)
  return element(
    "span",
    { class: "rating", role: "img", "aria-label": renderer.context.messages.rating(stars, most) },
    Array.from({ length: most }, (_, index) =>
      element("span", { class: index < stars ? "on" : "off" }, icon("star", "solid"))
    )
  )
}

const renderSelect = (column: Extract<Column, { type: "select" }>, value: Value | undefined): Content => {
  const values = Array.isArray(value) ? value : typeof value === "string" ? [value] : []
  const badges = values.map((one) => {
    const option = column.options.find((candidate) => candidate.value === one)
    const color = /^[a-z]{1,20}$/.test(option?.color ?? "") ? `c-${option!.color}` : undefined
    return element("li", { class: classes("badge", color) }, option?.label ?? one)
  })
  return badges.length === 0 ? "" : element("ul", { class: "badges" }, badges)
}

/** Renders the value of a cell. */
const renderValue = (
  renderer: Renderer,
  column: Column,
  value: Value | undefined,
  fragments: Fragments,
  label: string | undefined
): Content => {
  if (value === undefined || value === null) return ""
  switch (column.type) {
    case "text":
      return renderFragment(renderer, fragments.get(String(value)))
    case "number":
      return typeof value === "number"
        ? new Intl.NumberFormat(renderer.context.messages.locale).format(value)
        : String(value)
    case "checkbox": {
      const { done, notDone } = renderer.context.messages
      return element("input", {
        type: "checkbox",
        disabled: true,
        checked: value === true,
        "aria-label": value === true ? done : notDone
      })
    }
    case "rating":
      return renderRating(renderer, Number(value) || 0, column.max)
    case "select":
      return renderSelect(column, value)
    case "users":
      return (Array.isArray(value) ? value : [String(value)]).join(", ")
    case "files":
      return (Array.isArray(value) ? value : []).map((file) => {
        const found = renderer.context.file({ kind: "file", file })
        return found === undefined
          ? ""
          : element("a", { class: "file-link", href: found.href }, icon("paperclip"), found.name)
      })
    case "image": {
      const image = imageOf(value)
      return image === undefined ? "" : imageElement(renderer, { ref: image.ref, alt: label ?? "" })
    }
    case "content-ref": {
      const target = targetOf(value)
      return target === undefined ? "" : renderTarget(renderer, target, label)
    }
  }
}

/** Returns the rows in their order. */
const rowsOf = ({ data }: Table): ReadonlyArray<Row> =>
  Object.values(data.records).toSorted((one, other) =>
    one.orderIndex < other.orderIndex ? -1 : one.orderIndex > other.orderIndex ? 1 : 0
  )

const alignOf = (column: Column): string | undefined =>
  column.type === "number"
    ? "text-end"
    : column.type === "text" && column.textAlignment !== "left"
      ? `text-${column.textAlignment === "right" ? "end" : "center"}`
      : undefined

/** The maximum number of columns of a cell, by the HTML standard. */
const maximumColumnSpan = 1000

const renderGrid = (
  renderer: Renderer,
  table: Table,
  view: DocumentBlock.GridView,
  fragments: Fragments
): Html => {
  const columns = view.columns.flatMap((id) => table.data.definition[id] ?? [])
  const hasWidths = view.columnWidths !== undefined && Object.keys(view.columnWidths).length > 0
  const titleOf = (column: Column): Content =>
    column.titleFragment === undefined
      ? column.title
      : renderFragment(renderer, fragments.get(column.titleFragment))
  const { messages } = renderer.context
  const positions = new Map(columns.map(({ id }, index) => [id, index]))
  const cellsOf = (row: Row): ReadonlyArray<Html> => {
    const last = Object.keys(row.values).reduce((most, id) => Math.max(most, positions.get(id) ?? -1), -1)
    const cells = columns.slice(0, last + 1).map((column) => {
      const alignment = "verticalAlignment" in column && column.verticalAlignment
      return element(
        "td",
        { class: classes(alignOf(column), alignment && `valign-${alignment}`) },
        renderValue(renderer, column, row.values[column.id], fragments, row.labels?.[column.id])
      )
    })
    const rest = columns.length - cells.length
    // One cell replaces the missing cells: a wide table of short rows would be thousands of times as long as its Markdown.
    return rest === 0
      ? cells
      : [...cells, element("td", rest === 1 ? {} : { colspan: Math.min(rest, maximumColumnSpan) })]
  }
  return element(
    "div",
    {
      class: classes("table-scroll", table.data.fullWidth === true && "full-width"),
      tabindex: "0",
      role: "group",
      "aria-label": messages.table
    },
    element(
      "table",
      {},
      hasWidths &&
        element(
          "colgroup",
          {},
          columns.map(({ id }) => {
            const width = view.columnWidths?.[id]
            const isValid = width !== undefined && width > 0
            return element("col", {
              width: isValid
                ? view.useNewSizing === true
                  ? Math.round(width)
                  : `${Math.round(width)}%`
                : undefined
            })
          })
        ),
      !view.hideHeader &&
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            columns.map((column) => element("th", { scope: "col", class: alignOf(column) }, titleOf(column)))
          )
        ),
      element(
        "tbody",
        {},
        rowsOf(table).map((row) => element("tr", {}, cellsOf(row)))
      )
    )
  )
}

const renderCard = (
  renderer: Renderer,
  table: Table,
  view: DocumentBlock.CardsView,
  fragments: Fragments,
  row: Row
): Html => {
  const { definition } = table.data
  const hidden = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark])
  const columns = view.columns.filter((id) => !hidden.has(id)).flatMap((id) => definition[id] ?? [])
  const cover = view.coverDefinition === undefined ? undefined : imageOf(row.values[view.coverDefinition])
  const coverDark =
    view.coverDefinitionDark === undefined ? undefined : imageOf(row.values[view.coverDefinitionDark])
  const target = view.targetDefinition === undefined ? undefined : targetOf(row.values[view.targetDefinition])
  const link = target === undefined ? undefined : renderer.context.link(target)
  const fields = columns.map((column, index) => {
    const value = renderValue(renderer, column, row.values[column.id], fragments, row.labels?.[column.id])
    return fragment(value).text === ""
      ? nothing
      : element(
          "div",
          { class: index === 0 ? "card-title" : "card-field" },
          view.hideColumnTitle === false &&
            column.title !== "" &&
            element("span", { class: "card-label" }, column.title),
          value
        )
  })
  const image = cover ?? coverDark
  return element(
    "li",
    { class: classes("card", link !== undefined && "linked") },
    image !== undefined &&
      element(
        "div",
        { class: classes("card-cover", image.objectFit && `fit-${image.objectFit}`) },
        imageElement(renderer, {
          ref: image.ref,
          alt: "",
          ...(cover !== undefined && coverDark !== undefined ? { refDark: coverDark.ref } : {})
        })
      ),
    fields.some(({ text }) => text !== "") && element("div", { class: "card-body" }, fields),
    link !== undefined &&
      element("a", {
        class: "card-link",
        ...renderer.linkAttributes(link),
        "aria-label":
          textOfHtml(fields.find(({ text }) => text !== "")) || link.title || renderer.context.messages.open
      })
  )
}

/** Returns the text of rendered content, for a label. */
const textOfHtml = (html: Html | undefined): string =>
  (html?.text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim()

/** Renders a table as a grid or as cards. */
export const renderTable = (renderer: Renderer, table: Table): Html => {
  const { view } = table.data
  const fragments: Fragments = new Map(table.fragments.map((one) => [one.fragment, one]))
  if (view.type === "grid") return renderGrid(renderer, table, view, fragments)
  return element(
    "ul",
    {
      class: classes(
        "cards",
        view.cardSize === "large" && "large",
        table.data.fullWidth === true && "full-width"
      )
    },
    rowsOf(table).map((row) => renderCard(renderer, table, view, fragments, row))
  )
}
