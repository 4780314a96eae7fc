/** Creates elements of the interface. Nothing here parses HTML or sets style attributes, so that a strict policy permits it. */
import { icons } from "./icons.gen.ts"

type Child = Node | string | undefined | false

type Properties = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

/** Creates an element. Functions become listeners; `true` is an empty attribute; `undefined` and `false` are omitted. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[Tag] => {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") created.addEventListener(name, value)
    else if (value === true) created.setAttribute(name, "")
    else if (value !== undefined && value !== false) created.setAttribute(name, String(value))
  }
  for (const child of children) if (child !== undefined && child !== false) created.append(child)
  return created
}

const svg = "http://www.w3.org/2000/svg"

/** Creates an icon from a path. */
export const svgIcon = (width: number, height: number, path: string): SVGElement => {
  const icon = document.createElementNS(svg, "svg")
  icon.setAttribute("class", "icon")
  icon.setAttribute("viewBox", `0 0 ${width} ${height}`)
  icon.setAttribute("fill", "currentColor")
  icon.setAttribute("aria-hidden", "true")
  const shape = document.createElementNS(svg, "path")
  shape.setAttribute("d", path)
  icon.append(shape)
  return icon
}

/** Creates an icon of the interface. */
export const iconElement = (name: string): SVGElement => {
  const [width, height, path] = icons[name] ?? icons.shapes!
  return svgIcon(width, height, path)
}

/** Creates a button with an icon, whose name is read by screen readers and displayed as a tooltip. */
export const iconButton = (
  icon: string,
  label: string,
  onClick: (event: Event) => void,
  properties: Properties = {}
): HTMLButtonElement =>
  element(
    "button",
    {
      type: "button",
      class: "editor-icon-button",
      "aria-label": label,
      title: label,
      ...properties,
      click: onClick
    },
    iconElement(icon)
  )

let lastId = 0

/** Returns an id that no other element of the editor has. */
export const uniqueId = (prefix: string): string => `lectern-${prefix}-${++lastId}`
