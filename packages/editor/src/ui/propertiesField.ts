/** A field with the properties of a block of an integration: a name and a value each. */
import type { Messages } from "../messages/Messages.ts"
import type { Json, JsonObject } from "../schema/attributes.ts"
import { element, iconButton } from "./dom.ts"

/** The names that a property can have in Markdown. Two are fields of their own. */
const namePattern = /^(?!(?:url|fullWidth)$)[A-Za-z_][\w.:-]{0,63}$/

interface Row {
  name: string
  value: Json
}

/** Returns the value of entered text with the type of the value that it replaces. */
const valueOfText = (text: string, before: Json): Json => {
  if (typeof before === "boolean" && (text === "true" || text === "false")) return text === "true"
  if (typeof before === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text)
  return text
}

/** Creates a field of properties. `onChange` is called with all properties. One whose name is not valid, or not unique, is omitted. */
export const propertiesField = (
  messages: Messages,
  props: JsonObject,
  onChange: (props: JsonObject) => void
): HTMLElement => {
  const rows: Array<Row> = Object.entries(props).map(([name, value]) => ({ name, value }))
  const list = element("div", { class: "editor-property-rows" })
  const isValid = (row: Row): boolean =>
    namePattern.test(row.name) && rows.findIndex(({ name }) => name === row.name) === rows.indexOf(row)
  const apply = (): void => {
    onChange(Object.fromEntries(rows.filter(isValid).map(({ name, value }) => [name, value])))
  }
  const rowOf = (row: Row): HTMLElement => {
    // While it is typed, the text is not a value of the type yet.
    const initial = row.value
    const name = element("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": messages.propertyName,
      value: row.name,
      input: () => {
        row.name = name.value.trim()
        name.setAttribute("aria-invalid", String(!isValid(row)))
        apply()
      }
    })
    const value = element("textarea", {
      rows: row.name === "content" ? 4 : 1,
      spellcheck: "false",
      class: "editor-source",
      "aria-label": messages.propertyValue,
      input: () => {
        row.value = valueOfText(value.value, initial)
        apply()
      }
    })
    value.value = String(row.value)
    const remove = iconButton("trash", messages.remove, () => {
      rows.splice(rows.indexOf(row), 1)
      apply()
      dom.remove()
      add.focus()
    })
    const dom = element("div", { class: "editor-property-row" }, name, value, remove)
    return dom
  }
  list.append(...rows.map(rowOf))
  const add = element(
    "button",
    {
      type: "button",
      class: "editor-add-property",
      click: () => {
        const row = { name: "", value: "" }
        rows.push(row)
        const dom = rowOf(row)
        list.append(dom)
        dom.querySelector("input")?.focus()
      }
    },
    messages.addProperty
  )
  return element("div", { class: "editor-properties-field" }, list, add)
}
