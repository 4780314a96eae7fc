/** A menu of actions. */
import type { EditorContext } from "../context.ts"
import { element, iconElement } from "./dom.ts"
import { Popover } from "./Popover.ts"

/** An action of a menu. */
export interface MenuItem {
  readonly title: string
  readonly icon: string
  readonly shortcut?: string
  readonly group?: string
  readonly isChecked?: boolean
  readonly run: () => void
}

/** A menu, which is operated by the arrow keys, by the first letters of its actions, and by the pointer. */
export class Menu {
  private readonly popover: Popover
  private readonly buttons: ReadonlyArray<HTMLButtonElement>

  constructor(context: EditorContext, label: string, items: ReadonlyArray<MenuItem>) {
    this.popover = new Popover(context.overlay, {
      className: "editor-menu",
      role: "menu",
      label,
      onClose: () => context.view().focus()
    })
    const buttons: Array<HTMLButtonElement> = []
    let group: string | undefined
    for (const item of items) {
      if (item.group !== undefined && item.group !== group) {
        group = item.group
        this.popover.element.append(
          element("div", { class: "editor-list-group", role: "presentation" }, group)
        )
      }
      const button = this.button(item)
      buttons.push(button)
      this.popover.element.append(button)
    }
    this.buttons = buttons
    this.popover.element.addEventListener("keydown", (event) => this.handleKey(event))
  }

  /** Displays the menu next to a place, and moves the focus to its first action. */
  open(anchor: () => DOMRect | undefined): void {
    this.popover.placeAt(anchor)
    this.buttons[0]?.focus()
  }

  private button(item: MenuItem): HTMLButtonElement {
    return element(
      "button",
      {
        type: "button",
        role: item.isChecked === undefined ? "menuitem" : "menuitemradio",
        "aria-checked": item.isChecked === undefined ? undefined : String(item.isChecked),
        class: "editor-menu-item",
        tabindex: -1,
        click: () => {
          this.popover.close()
          item.run()
        }
      },
      iconElement(item.icon),
      element("span", {}, item.title),
      item.shortcut !== undefined && element("kbd", { class: "editor-shortcut" }, item.shortcut)
    )
  }

  private handleKey(event: KeyboardEvent): void {
    const at = this.buttons.indexOf(document.activeElement as HTMLButtonElement)
    const count = this.buttons.length
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % count,
      ArrowUp: (at - 1 + count) % count,
      Home: 0,
      End: count - 1
    }
    const letter =
      event.key.length === 1 && !event.ctrlKey && !event.metaKey ? event.key.toLowerCase() : undefined
    const byLetter =
      letter === undefined
        ? undefined
        : [...this.buttons.slice(at + 1), ...this.buttons.slice(0, at + 1)].find((button) =>
            button.querySelector("span")?.textContent.toLowerCase().startsWith(letter)
          )
    const target = targets[event.key] === undefined ? byLetter : this.buttons[targets[event.key]!]
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  }
}
