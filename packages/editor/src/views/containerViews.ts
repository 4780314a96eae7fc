/** Views of blocks that contain blocks and have controls: hints, tabs, tasks, expandable blocks, conditions, updates. */
import type { Node } from "prosemirror-model"
import { TextSelection } from "prosemirror-state"
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { element, iconButton, iconElement } from "../ui/dom.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { fillIcon } from "./iconSets.ts"
import { isOutsideContent } from "./isOutsideContent.ts"

type Position = () => number | undefined

/** A view with controls before its content. Changes of the controls are not changes of the document. */
abstract class ContainerView implements NodeView {
  abstract readonly dom: HTMLElement
  abstract readonly contentDOM: HTMLElement
  protected node: Node
  protected readonly context: EditorContext
  protected readonly position: Position

  constructor(node: Node, context: EditorContext, position: Position) {
    this.node = node
    this.context = context
    this.position = position
  }

  /** Displays the attributes of the node. */
  protected abstract render(): void

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false
    this.node = node
    this.render()
    return true
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return isOutsideContent(mutation, this.contentDOM)
  }

  stopEvent(event: Event): boolean {
    return (
      event.target instanceof Element &&
      event.target.closest("[data-control]") !== null &&
      event.type !== "dragstart"
    )
  }

  protected setData(data: object): void {
    const at = this.position()
    if (at === undefined) return
    const view = this.context.view()
    view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...this.node.attrs, data }))
  }

  protected open(): void {
    const at = this.position()
    if (at !== undefined) openSettings(this.context, at)
  }
}

const hintIcons: Readonly<Record<string, string>> = {
  info: "circle-info",
  success: "circle-check",
  warning: "circle-exclamation",
  danger: "triangle-exclamation"
}

class HintView extends ContainerView {
  readonly contentDOM = element("div", { class: "hint-body" })
  private readonly icon = element("button", {
    type: "button",
    class: "hint-icon",
    "data-control": true,
    contenteditable: "false",
    click: () => this.open()
  })
  readonly dom = element("div", { role: "note" }, this.icon, this.contentDOM)

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
  }

  protected render(): void {
    const style = textField(this.node, "style") ?? "info"
    const label = this.context.messages.choices[style] ?? style
    this.dom.className = `hint ${style}`
    this.dom.setAttribute("aria-label", label)
    this.icon.setAttribute("aria-label", this.context.messages.settingsOf(label))
    fillIcon(this.icon, textField(this.node, "icon") ?? hintIcons[style] ?? "circle-info")
  }
}

class ItemView extends ContainerView {
  readonly contentDOM = element("div", { class: "item-body" })
  private readonly box = element("input", {
    type: "checkbox",
    "data-control": true,
    change: () => this.setData({ ...dataOf(this.node), checked: this.box.checked })
  })
  readonly dom = element(
    "li",
    { class: "task" },
    element("span", { class: "task-box", contenteditable: "false", "data-control": true }, this.box),
    this.contentDOM
  )

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
  }

  override update(node: Node): boolean {
    return isTask(node) && super.update(node)
  }

  protected render(): void {
    this.box.checked = dataOf(this.node).checked === true
    this.box.setAttribute(
      "aria-label",
      this.node.firstChild?.textContent.slice(0, 100) || this.context.messages.task
    )
  }
}

/** Whether an item has a box to check. */
const isTask = (node: Node): boolean => typeof dataOf(node).checked === "boolean"

class ExpandableView extends ContainerView {
  readonly contentDOM = element("div", { class: "expandable-parts" })
  private isOpen = true
  private readonly toggle = iconButton(
    "chevron-right",
    this.context.messages.toggle,
    () => this.set(!this.isOpen),
    {
      class: "expandable-toggle",
      contenteditable: "false",
      "data-control": true
    }
  )
  readonly dom = element("div", { class: "expandable" }, this.toggle, this.contentDOM)

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.set(true)
    openers.set(this.dom, () => this.set(true))
  }

  protected render(): void {}

  private set(isOpen: boolean): void {
    this.isOpen = isOpen
    this.dom.classList.toggle("closed", !isOpen)
    this.toggle.setAttribute("aria-expanded", String(isOpen))
  }
}

class ConditionView extends ContainerView {
  readonly contentDOM = element("div", { class: "condition-body" })
  private readonly label = element("button", {
    type: "button",
    class: "condition-label",
    contenteditable: "false",
    "data-control": true,
    click: () => this.open()
  })
  readonly dom = element("div", { class: "condition" }, this.label, this.contentDOM)

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
  }

  protected render(): void {
    const expression = textField(this.node, "expression") ?? ""
    this.label.replaceChildren(
      iconElement("filter"),
      this.context.messages.shownIf,
      element("code", {}, expression)
    )
  }
}

class UpdateView extends ContainerView {
  readonly contentDOM = element("div", { class: "update-body" })
  private readonly meta = element("button", {
    type: "button",
    class: "update-meta",
    contenteditable: "false",
    "data-control": true,
    click: () => this.open()
  })
  readonly dom = element("article", { class: "update" }, this.meta, this.contentDOM)

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
  }

  protected render(): void {
    const { date, tags } = dataOf(this.node)
    const time = element(
      "time",
      {},
      typeof date === "string" ? formatDate(date, this.context.language) : this.context.messages.addDate
    )
    const list = element("span", { class: "badges" })
    if (Array.isArray(tags))
      for (const tag of tags) list.append(element("span", { class: "badge" }, String(tag)))
    this.meta.replaceChildren(time, list)
    this.meta.title = this.context.messages.settingsOf(this.context.messages.nodes.update ?? "")
  }
}

const formatDate = (date: string, language: string): string => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return date
  const parsed = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(parsed.getTime())
    ? date
    : new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(parsed)
}

class StepView extends ContainerView {
  readonly contentDOM = element("div", { class: "step-body" })
  private readonly icon = element("span", { class: "step-icon", contenteditable: "false" })
  readonly dom = element("li", {}, this.icon, this.contentDOM)

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
  }

  protected render(): void {
    const icon = textField(this.node, "icon")
    this.dom.classList.toggle("with-icon", icon !== undefined)
    this.icon.hidden = icon === undefined
    if (icon !== undefined) fillIcon(this.icon, icon)
  }
}

/** The functions that make the content at a child of a view visible, by the element of the view. */
const openers = new WeakMap<globalThis.Node, (index: number) => void>()

class TabsView extends ContainerView {
  readonly contentDOM = element("div", { class: "tab-panels" })
  private readonly list = element("div", {
    class: "tab-list",
    contenteditable: "false",
    "data-control": true
  })
  readonly dom = element("div", { class: "tabs" }, this.list, this.contentDOM)
  private selected = 0

  constructor(node: Node, context: EditorContext, position: Position) {
    super(node, context, position)
    this.render()
    openers.set(this.dom, (index) => {
      if (index !== this.selected) this.select(index, false)
    })
  }

  protected render(): void {
    const { messages } = this.context
    this.selected = Math.min(this.selected, this.node.childCount - 1)
    this.dom.className = `tabs${dataOf(this.node).fullWidth === true ? " full-width" : ""}`
    this.contentDOM.dataset.selected = String(this.selected)
    const tabs = this.node.children.map((item, index) => this.tab(item, index))
    this.list.replaceChildren(
      element("div", { role: "tablist", class: "tab-buttons" }, ...tabs),
      iconButton("pen", messages.renameTab, () => this.settings()),
      iconButton("plus", messages.addTab, () => this.add()),
      ...(this.node.childCount > 1 ? [iconButton("trash", messages.removeTab, () => this.remove())] : [])
    )
  }

  private tab(item: Node, index: number): HTMLElement {
    const isSelected = index === this.selected
    const icon = textField(item, "icon")
    const shown = icon === undefined ? undefined : element("span", { class: "editor-icon" })
    if (shown !== undefined) fillIcon(shown, icon!)
    return element(
      "button",
      {
        type: "button",
        role: "tab",
        "aria-selected": String(isSelected),
        tabindex: isSelected ? 0 : -1,
        click: () => this.select(index, true),
        dblclick: () => this.settings(),
        keydown: (event) => this.handleKey(event as KeyboardEvent, index)
      },
      shown,
      textField(item, "title") ?? this.context.messages.tab(index + 1)
    )
  }

  private handleKey(event: KeyboardEvent, index: number): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === "F2") this.settings()
    if (step === undefined) return
    event.preventDefault()
    const isRtl = getComputedStyle(this.dom).direction === "rtl"
    const count = this.node.childCount
    const next = (index + (isRtl ? -step : step) + count) % count
    this.select(next, false)
    this.list.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }

  private childPosition(index: number): number | undefined {
    const at = this.position()
    if (at === undefined) return undefined
    return this.node.children.slice(0, index).reduce((sum, child) => sum + child.nodeSize, at + 1)
  }

  private select(index: number, isFocused: boolean): void {
    this.selected = index
    this.render()
    const at = this.childPosition(index)
    if (!isFocused || at === undefined) return
    const view = this.context.view()
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at + 1))))
    view.focus()
  }

  private settings(): void {
    const at = this.childPosition(this.selected)
    if (at !== undefined) openSettings(this.context, at)
  }

  private add(): void {
    const at = this.position()
    if (at === undefined) return
    const view = this.context.view()
    const title = this.context.messages.tab(this.node.childCount + 1)
    const tab = schema.nodes.tabs_item!.create({ data: { title } }, schema.nodes.paragraph!.create())
    const index = this.node.childCount
    view.dispatch(view.state.tr.insert(at + this.node.nodeSize - 1, tab))
    this.select(index, true)
  }

  private remove(): void {
    const at = this.childPosition(this.selected)
    if (at === undefined) return
    const view = this.context.view()
    view.dispatch(view.state.tr.delete(at, at + this.node.child(this.selected).nodeSize))
    view.focus()
  }
}

/** Makes the selection visible: opens the tabs and the expandable blocks around it. */
export const revealSelection = (view: EditorView): void => {
  const { $head } = view.state.selection
  for (let depth = 1; depth <= $head.depth; depth++) {
    const { name } = $head.node(depth).type
    if (name !== "tabs" && name !== "expandable") continue
    const index = $head.index(depth)
    const dom = view.nodeDOM($head.before(depth))
    if (dom !== null && (name === "tabs" || index === 1)) openers.get(dom)?.(index)
  }
}

/** Returns the views of containers by their names. */
export const containerViews = (context: EditorContext): Readonly<Record<string, NodeViewConstructor>> => ({
  hint: (node, _, position) => new HintView(node, context, position),
  list_item: (node, _, position) => {
    if (isTask(node)) return new ItemView(node, context, position)
    const dom = element("li", { class: dataOf(node).spread === true ? "spread" : undefined })
    return { dom, contentDOM: dom, update: (next: Node) => next.type === node.type && !isTask(next) }
  },
  expandable: (node, _, position) => new ExpandableView(node, context, position),
  if: (node, _, position) => new ConditionView(node, context, position),
  update: (node, _, position) => new UpdateView(node, context, position),
  stepper_step: (node, _, position) => new StepView(node, context, position),
  tabs: (node, _, position) => new TabsView(node, context, position)
})
