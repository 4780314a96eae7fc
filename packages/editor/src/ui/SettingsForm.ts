/** The form with the settings of a block or an inline node. */
import type { Node } from "prosemirror-model"
import type { EditorContext } from "../context.ts"
import type { Json, JsonObject } from "../schema/attributes.ts"
import { uploadFile } from "../uploadFile.ts"
import { element, iconButton, uniqueId } from "./dom.ts"
import { type Field, fieldsOf } from "./fields.ts"
import { linkPicker } from "./LinkPicker.ts"
import { Popover } from "./Popover.ts"
import { propertiesField } from "./propertiesField.ts"
import { otherMethodOf, suggestValues } from "./suggestedValues.ts"
import { valueOf, withField } from "./values.ts"

/** Whether a node has settings. */
export const hasSettings = (node: Node): boolean => Object.hasOwn(fieldsOf, node.type.name)

const textOfRef = (value: Json | undefined): string => {
  const ref = (typeof value === "object" && value !== null ? value : {}) as JsonObject
  const { url, page, file, user, anchor, reusableContent } = ref
  return String(url ?? anchor ?? page ?? file ?? user ?? reusableContent ?? "")
}

const textOfLength = (value: Json | undefined): string => {
  if (typeof value === "number") return `${value}px`
  const { unit, value: size } = (typeof value === "object" && value !== null ? value : {}) as JsonObject
  return size === undefined ? "" : `${size}${unit}`
}

const lengthOfText = (text: string): Json | undefined => {
  const match = /^(\d{1,5}(?:\.\d+)?)\s*(px|%|em|rem|vw)?$/.exec(text.trim())
  if (match === null) return undefined
  const [, size, unit = "px"] = match
  return unit === "px" ? Number(size) : { unit, value: Number(size) }
}

/** A form whose changes are applied immediately. */
class SettingsForm {
  private readonly context: EditorContext
  private readonly position: () => number | undefined
  private readonly popover: Popover

  constructor(context: EditorContext, position: () => number | undefined, popover: Popover) {
    this.context = context
    this.position = position
    this.popover = popover
  }

  get node(): Node | undefined {
    const position = this.position()
    return position === undefined ? undefined : (this.context.view().state.doc.nodeAt(position) ?? undefined)
  }

  render(): void {
    const { node } = this
    if (node === undefined) return
    const fields = fieldsOf[node.type.name] ?? []
    const isShown = (field: Field): boolean =>
      field.place !== "view" ||
      field.name === "type" ||
      (field.name === "cardSize") ===
        (valueOf(node, { name: "type", label: "", kind: "text", place: "view" }) === "cards")
    const root = this.popover.element.getRootNode() as Document | ShadowRoot
    const focused = this.controls().findIndex((control) => control === root.activeElement)
    this.popover.element.replaceChildren(
      element(
        "form",
        { class: "editor-form", submit: (event) => this.submit(event) },
        ...fields.filter(isShown).map((field) => this.field(node, field)),
        element("button", { type: "submit", class: "editor-primary" }, this.context.messages.done)
      )
    )
    // The form is rendered again after an upload: the focus remains on the control that began it.
    this.controls()[focused]?.focus()
  }

  private controls(): ReadonlyArray<HTMLElement> {
    const selector = "input:not([type=file]), select, textarea, button"
    return [...this.popover.element.querySelectorAll<HTMLElement>(selector)]
  }

  private submit(event: Event): void {
    event.preventDefault()
    this.popover.close()
    this.context.view().focus()
  }

  private set(field: Field, value: Json | undefined): void {
    const { node } = this
    const position = this.position()
    if (node === undefined || position === undefined) return
    const { state, dispatch } = this.context.view()
    const attrs = withField(node, field, value)
    dispatch(state.tr.setNodeMarkup(position, null, attrs, node.marks))
  }

  private labelOf(field: Field): string {
    return this.context.messages.fields[field.label] ?? field.label
  }

  private field(node: Node, field: Field): HTMLElement {
    const value = valueOf(node, field)
    const label = this.labelOf(field)
    if (field.kind === "flag") return this.flag(field, label, value === true)
    if (field.kind === "properties") return this.properties(field, label, value)
    const id = uniqueId("field")
    const control = this.control(field, label, value, id)
    return element("div", { class: "editor-field" }, element("label", { for: id }, label), control)
  }

  private properties(field: Field, label: string, value: Json | undefined): HTMLElement {
    const control = propertiesField(this.context.messages, (value ?? {}) as JsonObject, (props) =>
      this.set(field, props)
    )
    return element(
      "div",
      { class: "editor-field", role: "group", "aria-label": label },
      element("span", { class: "editor-field-label" }, label),
      control
    )
  }

  private flag(field: Field, label: string, isSet: boolean): HTMLElement {
    const box = element("input", {
      type: "checkbox",
      checked: isSet,
      change: () => this.set(field, box.checked || (field.name === "hideHeader" ? false : undefined))
    })
    return element("label", { class: "editor-check" }, box, label)
  }

  private control(field: Field, label: string, value: Json | undefined, id: string): HTMLElement {
    switch (field.kind) {
      case "choice":
        return this.choice(field, value, id)
      case "link":
      case "reusable":
        return linkPicker(this.context, {
          kind: field.kind === "link" ? "link" : "reusable",
          label,
          value: textOfRef(value),
          takesTypedUrl: field.kind === "link",
          onPick: (ref) => {
            this.set(field, ref)
            this.render()
            this.popover.element.querySelector<HTMLElement>("button[type=submit]")?.focus()
          }
        })
      case "image":
        return this.image(field, value, id)
      default:
        return this.text(field, value, id)
    }
  }

  private choice(field: Field, value: Json | undefined, id: string): HTMLElement {
    const { choices: names } = this.context.messages
    const select = element("select", {
      id,
      "data-field": field.name,
      change: () => {
        this.set(field, select.value === "" ? undefined : select.value)
        if (field.place === "view") this.render()
      }
    })
    for (const choice of field.choices ?? []) {
      const isSelected = choice === String(value ?? "")
      select.append(
        element(
          "option",
          { value: choice, selected: isSelected },
          names[choice === "" ? "default" : choice] ?? choice
        )
      )
    }
    return select
  }

  private text(field: Field, value: Json | undefined, id: string): HTMLElement {
    const text =
      field.kind === "length"
        ? textOfLength(value)
        : Array.isArray(value)
          ? value.join(", ")
          : String(value ?? "")
    const isLong = field.kind === "code"
    const input = isLong
      ? element("textarea", { id, rows: 3, spellcheck: "false", class: "editor-source" })
      : element("input", { id, type: field.kind === "number" ? "number" : "text", autocomplete: "off" })
    input.value = text
    input.addEventListener("input", () => {
      const isValid = field.pattern === undefined || field.pattern.test(input.value)
      input.setAttribute("aria-invalid", String(!isValid))
      if (isValid) this.set(field, this.parsed(field, input.value))
    })
    const { suggestions } = field
    if (suggestions === undefined || !(input instanceof HTMLInputElement)) return input
    if (suggestions === "operations")
      input.addEventListener("change", () => void this.alignMethod(input.value))
    return element(
      "div",
      { class: "editor-picker" },
      input,
      suggestValues(this.context, input, suggestions, () => this.node)
    )
  }

  /** Chooses a method that the operation of a path has, if it does not have the current one. */
  private async alignMethod(path: string): Promise<void> {
    const { node } = this
    const method = node === undefined ? undefined : await otherMethodOf(this.context, node, path)
    if (method === undefined || this.node?.attrs.data !== node?.attrs.data) return
    this.set({ name: "method", label: "method", kind: "choice" }, method)
    const select = this.popover.element.querySelector<HTMLSelectElement>("select[data-field=method]")
    if (select !== null) select.value = method
  }

  private parsed(field: Field, text: string): Json | undefined {
    if (field.kind === "list") {
      const items = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))
      return items.length > 0 || field.isRequired === true ? items : undefined
    }
    if (field.kind === "length") return lengthOfText(text)
    if (field.kind === "number") return text === "" ? undefined : Math.max(0, Math.round(Number(text)))
    return text === "" && field.isRequired !== true ? undefined : text
  }

  private image(field: Field, value: Json | undefined, id: string): HTMLElement {
    const { messages, backend } = this.context
    const input = element("input", {
      id,
      type: "text",
      placeholder: "https://",
      autocomplete: "off",
      change: () => {
        const url = input.value.trim()
        this.set(field, url === "" && field.isRequired !== true ? undefined : { kind: "url", url })
      }
    })
    const { kind } = (typeof value === "object" && value !== null ? value : {}) as JsonObject
    if (kind === "url") input.value = textOfRef(value)
    else if (kind === "file")
      this.context.resolve(
        value as JsonObject,
        (found) => (input.placeholder = found?.title ?? textOfRef(value))
      )
    if (backend?.upload === undefined) return input
    const file = element("input", {
      type: "file",
      class: "editor-hidden",
      tabindex: -1,
      accept: field.label === "file" || field.label === "specFile" ? undefined : "image/*",
      "aria-label": messages.upload,
      change: () => {
        const [chosen] = file.files ?? []
        if (chosen !== undefined) {
          void uploadFile(this.context, chosen, () => undefined).then((uploaded) => {
            if (uploaded === undefined) return
            this.set(field, uploaded.ref as unknown as Json)
            this.render()
          })
        }
      }
    })
    return element(
      "div",
      { class: "editor-field-row" },
      input,
      iconButton("upload", messages.upload, () => file.click()),
      file
    )
  }
}

/** Opens the settings of the node at a position. */
export const openSettings = (context: EditorContext, position: number): void => {
  const view = context.view()
  const node = view.state.doc.nodeAt(position)
  if (node === null || !hasSettings(node)) return
  const { messages } = context
  let current: number | undefined = position
  const tracked = context.trackPosition(position, (next) => {
    current = next
  })
  const popover = new Popover(context.overlay, {
    className: "editor-settings",
    label: messages.settingsOf(messages.nodes[node.type.name] ?? node.type.name),
    onClose: () => {
      tracked()
      view.focus()
    }
  })
  new SettingsForm(context, () => current, popover).render()
  popover.placeAt(() => {
    const dom = current === undefined ? undefined : view.nodeDOM(current)
    return dom instanceof HTMLElement ? dom.getBoundingClientRect() : undefined
  })
  popover.element.querySelector<HTMLElement>("input, select, textarea, button")?.focus()
}
