/** Views of tables and of the values in their cells. */
import type { Node } from "prosemirror-model"
import { TableView } from "prosemirror-tables"
import type { NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, type Json, type JsonObject } from "../schema/attributes.ts"
import { alignmentClass } from "../schema/tableNodes.ts"
import { element, iconElement } from "../ui/dom.ts"
import { linkPicker } from "../ui/LinkPicker.ts"
import { Popover } from "../ui/Popover.ts"
import { safeSource } from "./imageSize.ts"

const defaultCellWidth = 96

/** The view of a table, with the classes of its settings. */
export class LecternTableView extends TableView {
  constructor(node: Node, cellMinWidth: number = defaultCellWidth) {
    super(node, cellMinWidth)
    this.dom.className = "table-scroll tableWrapper"
    this.show(node)
  }

  override update(node: Node): boolean {
    const isUpdated = super.update(node)
    if (isUpdated) this.show(node)
    return isUpdated
  }

  override ignoreMutation(record: ViewMutationRecord): boolean {
    return record.type === "attributes" || super.ignoreMutation(record)
  }

  private show(node: Node): void {
    const data = dataOf(node)
    const view = (data.view ?? {}) as JsonObject
    this.dom.classList.toggle("full-width", data.fullWidth === true)
    this.dom.classList.toggle("editor-cards", view.type === "cards")
    this.dom.classList.toggle("large", view.cardSize === "large")
    this.dom.classList.toggle("without-header", view.hideHeader === true)
    this.dom.classList.toggle("without-titles", node.firstChild?.textContent === "")
    this.dom.dataset.center = this.columnsOf(node, "text-center")
    this.dom.dataset.end = this.columnsOf(node, "text-end")
  }

  /** Returns the numbers of the columns with an alignment, from 1, for the style sheet. */
  private columnsOf(node: Node, className: string): string {
    const cells = node.firstChild?.children ?? []
    return cells
      .flatMap((cell, index) =>
        alignmentClass((cell.attrs.column ?? null) as JsonObject | null) === className ? [index + 1] : []
      )
      .join(" ")
  }
}

/** Returns the settings of the column of a cell. */
const columnAt = (context: EditorContext, position: number): JsonObject => {
  const $position = context.view().state.doc.resolve(position)
  for (let depth = $position.depth; depth > 0; depth--) {
    const table = $position.node(depth)
    if (table.type.spec.tableRole !== "table") continue
    const cell = table.firstChild?.maybeChild($position.index(depth + 1))
    return (cell?.attrs.column ?? { type: "text" }) as JsonObject
  }
  return { type: "text" }
}

/** The maximum number of stars of a rating. */
const mostStars = 10

const listOf = (value: Json): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

class CellValueView implements NodeView {
  readonly dom = element("div", { class: "cell-value", contenteditable: "false" })
  private node: Node
  private columnType = ""
  private readonly context: EditorContext
  private readonly position: () => number | undefined

  constructor(node: Node, context: EditorContext, position: () => number | undefined) {
    this.node = node
    this.context = context
    this.position = position
    this.render()
    // The column is known when the document of the view contains the cell.
    queueMicrotask(() => {
      if (!context.signal.aborted) this.render()
    })
  }

  private get value(): Json {
    return this.node.attrs.value as Json
  }

  private set(value: Json): void {
    const at = this.position()
    if (at === undefined) return
    const view = this.context.view()
    const transaction = view.state.tr.setNodeMarkup(at, null, { value })
    view.dispatch(transaction)
  }

  private render(): void {
    const at = this.position()
    let column: JsonObject
    try {
      column = at === undefined ? {} : columnAt(this.context, at)
    } catch {
      // The view does not exist while its first nodes are rendered.
      return
    }
    this.columnType = String(column.type)
    this.dom.replaceChildren(...this.controls(column))
  }

  private controls(column: JsonObject): ReadonlyArray<HTMLElement> {
    const { messages } = this.context
    const label = String(column.title ?? "") || (messages.columnTypes[this.columnType] ?? this.columnType)
    switch (column.type) {
      case "number":
        return [this.number(label)]
      case "rating":
        return [this.rating(label, typeof column.max === "number" ? column.max : 5)]
      case "checkbox":
        return [this.checkbox(label)]
      case "select":
        return [this.select(label, column)]
      case "content-ref":
        return [this.target(label)]
      case "image":
        return [this.image(label)]
      default:
        return [this.names(label)]
    }
  }

  /** Stars, with a slider over them that takes clicks and arrow keys. */
  private rating(label: string, maximum: number): HTMLElement {
    const most = Math.min(Math.max(Math.floor(maximum), 1), mostStars)
    const given = typeof this.value === "number" ? this.value : 0
    const input = element("input", {
      type: "range",
      min: 0,
      max: most,
      step: 1,
      "aria-label": label,
      change: () => this.set(Number(input.value))
    })
    input.value = String(given)
    const stars = Array.from({ length: most }, (_, index) =>
      element("span", { class: index < given ? "on" : "off", "aria-hidden": "true" }, iconElement("star"))
    )
    return element("span", { class: "rating editor-rating" }, ...stars, input)
  }

  private number(label: string): HTMLElement {
    const input = element("input", {
      type: "number",
      step: "any",
      "aria-label": label,
      value: typeof this.value === "number" ? this.value : "",
      change: () =>
        this.set(input.value === "" || !Number.isFinite(Number(input.value)) ? null : Number(input.value))
    })
    return input
  }

  private checkbox(label: string): HTMLElement {
    const box = element("input", {
      type: "checkbox",
      "aria-label": label,
      checked: this.value === true,
      change: () => this.set(box.checked)
    })
    return box
  }

  private select(label: string, column: JsonObject): HTMLElement {
    const options = (Array.isArray(column.options) ? column.options : []) as ReadonlyArray<JsonObject>
    const chosen = new Set(listOf(this.value))
    const select = element("select", { "aria-label": label, multiple: column.multiple === true })
    select.addEventListener("change", () => {
      const values = Array.from(select.selectedOptions, ({ value }) => value).filter((value) => value !== "")
      this.set(values.length === 0 ? null : values)
    })
    if (column.multiple !== true) select.append(element("option", { value: "" }, "—"))
    const unknown = [...chosen].filter((value) => !options.some((option) => option.value === value))
    for (const option of [...options, ...unknown.map((value) => ({ value, label: value }))]) {
      const value = String(option.value)
      select.append(element("option", { value, selected: chosen.has(value) }, String(option.label ?? value)))
    }
    return select
  }

  private target(label: string): HTMLElement {
    const ref = (
      typeof this.value === "object" && this.value !== null && "kind" in this.value ? this.value : undefined
    ) as JsonObject | undefined
    const button = element("button", {
      type: "button",
      class: "cell-target",
      "aria-label": label,
      click: () => this.pick(button, label)
    })
    const show = (text: string): void => button.replaceChildren(iconElement("link"), text)
    show(
      ref === undefined
        ? this.context.messages.chooseTarget
        : String(ref.url ?? ref.anchor ?? ref.page ?? ref.file ?? ref.space ?? "")
    )
    if (ref !== undefined) this.context.resolve(ref, (found) => found !== undefined && show(found.title))
    return button
  }

  private pick(button: HTMLElement, label: string): void {
    const popover = new Popover(this.context.overlay, {
      className: "editor-link-popover",
      label,
      onClose: () => button.focus()
    })
    popover.element.append(
      linkPicker(this.context, {
        kind: "link",
        label,
        value: "",
        onPick: (ref) => {
          popover.close()
          this.set(this.columnType === "image" ? { ref } : ref)
        }
      })
    )
    popover.placeAt(() => button.getBoundingClientRect())
    popover.element.querySelector("input")?.focus()
  }

  private image(label: string): HTMLElement {
    const value = (typeof this.value === "object" && this.value !== null ? this.value : {}) as JsonObject
    const ref = (value.ref ?? ("kind" in value ? value : undefined)) as JsonObject | undefined
    const button = element("button", {
      type: "button",
      class: "cell-target",
      "aria-label": label,
      click: () => this.pick(button, label)
    })
    button.append(iconElement("image"), this.context.messages.addImage)
    if (ref !== undefined)
      this.context.resolve(ref, (found) => {
        const source = safeSource(found?.source)
        if (source !== undefined) button.replaceChildren(element("img", { src: source, alt: label }))
      })
    return button
  }

  private names(label: string): HTMLElement {
    const input = element("input", {
      type: "text",
      "aria-label": label,
      value: listOf(this.value).join(", "),
      change: () => {
        const names = input.value.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]))
        this.set(names.length === 0 ? null : names)
      }
    })
    return input
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    const at = this.position()
    const isChanged = !node.hasMarkup(this.node.type, this.node.attrs)
    this.node = node
    if (isChanged || (at !== undefined && String(columnAt(this.context, at).type) !== this.columnType))
      this.render()
    return true
  }

  stopEvent(): boolean {
    return true
  }

  ignoreMutation(): boolean {
    return true
  }
}

/** Returns the view of the values of cells. */
export const cellValueView =
  (context: EditorContext): NodeViewConstructor =>
  (node, _, position) =>
    new CellValueView(node, context, position)
