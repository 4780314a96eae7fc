/** A list of options that is controlled by the keys of another element, such as the text of the editor. */
import { element, iconElement, uniqueId } from "./dom.ts"

/** An option of a list. */
export interface Option {
  readonly title: string
  readonly detail?: string | undefined
  /** The name of an icon, or a character. */
  readonly icon?: string | undefined
  readonly symbol?: string | undefined
  readonly shortcut?: string | undefined
  readonly group?: string | undefined
  readonly run: () => void
}

/** A list of options. The element that has the focus refers to the active one by `aria-activedescendant`. */
export class Listbox {
  readonly element: HTMLElement
  readonly id: string = uniqueId("list")
  private options: ReadonlyArray<Option> = []
  private active = 0
  private readonly onActive: (id: string | undefined) => void

  constructor(label: string, onActive: (id: string | undefined) => void) {
    this.onActive = onActive
    this.element = element("div", {
      class: "editor-listbox",
      role: "listbox",
      id: this.id,
      "aria-label": label
    })
  }

  get size(): number {
    return this.options.length
  }

  /** Displays other options, of which the first is active. `empty` is displayed if the list is empty. */
  show(options: ReadonlyArray<Option>, empty: string): void {
    this.options = options
    this.active = 0
    let group: string | undefined
    let into: HTMLElement = this.element
    this.element.replaceChildren()
    if (options.length === 0) {
      this.element.append(
        element("div", { class: "editor-list-empty", role: "option", "aria-disabled": "true" }, empty)
      )
    }
    for (const [index, option] of options.entries()) {
      if (option.group !== undefined && option.group !== group) {
        group = option.group
        into = element("div", { role: "group", "aria-label": group })
        into.append(element("div", { class: "editor-list-group", "aria-hidden": "true" }, group))
        this.element.append(into)
      }
      into.append(this.item(option, index))
    }
    this.select(0)
  }

  /** Moves the active option. */
  move(by: number): void {
    if (this.options.length === 0) return
    this.select((this.active + by + this.options.length) % this.options.length)
  }

  /** Runs the active option. Returns whether there is one. */
  run(): boolean {
    const option = this.options[this.active]
    option?.run()
    return option !== undefined
  }

  private item(option: Option, index: number): HTMLElement {
    const symbol =
      option.symbol !== undefined
        ? element("span", { class: "editor-list-symbol", "aria-hidden": "true" }, option.symbol)
        : option.icon === undefined
          ? undefined
          : element("span", { class: "editor-list-symbol" }, iconElement(option.icon))
    return element(
      "div",
      {
        class: "editor-option",
        role: "option",
        id: `${this.id}-${index}`,
        "aria-selected": "false",
        pointerdown: (event) => event.preventDefault(),
        pointermove: () => this.select(index, false),
        click: () => option.run()
      },
      symbol,
      element(
        "span",
        { class: "editor-option-text" },
        element("span", { class: "editor-option-title" }, option.title),
        option.detail !== undefined && element("span", { class: "editor-option-detail" }, option.detail)
      ),
      option.shortcut !== undefined && element("kbd", { class: "editor-shortcut" }, option.shortcut)
    )
  }

  private select(index: number, isScrolled = true): void {
    this.active = index
    for (const item of this.element.querySelectorAll("[role=option]")) {
      const isActive = item.id === `${this.id}-${index}`
      item.setAttribute("aria-selected", String(isActive))
      if (isActive && isScrolled) item.scrollIntoView({ block: "nearest" })
    }
    this.onActive(this.options.length === 0 ? undefined : `${this.id}-${index}`)
  }
}
