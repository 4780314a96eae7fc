/** The icons that content refers to by name. The collection of all of them is loaded with the first that is not of the interface. */
import { iconElement, svgIcon } from "../ui/dom.ts"
import { icons } from "../ui/icons.gen.ts"

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Fills an element with the icon of a name. An unknown name is displayed as text. */
export const fillIcon = (into: HTMLElement, name: string): void => {
  if (Object.hasOwn(icons, name)) {
    into.replaceChildren(iconElement(name))
    return
  }
  into.textContent = name
  if (!namePattern.test(name)) return
  void import("@iconify-json/fa6-solid/icons.json", { with: { type: "json" } }).then(({ default: set }) => {
    const found = (set.icons as Readonly<Record<string, { readonly body: string; readonly width?: number }>>)[name]
    const path = found === undefined ? undefined : / d="([^"]*)"/.exec(found.body)?.[1]
    if (path !== undefined && into.textContent === name) into.replaceChildren(svgIcon(found!.width ?? 512, 512, path))
  })
}
