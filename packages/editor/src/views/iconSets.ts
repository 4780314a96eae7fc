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
  void findIcon(name).then((found) => {
    if (found !== undefined && into.textContent === name) into.replaceChildren(found)
  })
}

interface IconSet {
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >
}

const iconOf = (set: IconSet, name: string): SVGElement | undefined => {
  const found = Object.hasOwn(set.icons, name) ? set.icons[name] : undefined
  const path = found === undefined ? undefined : / d="([^"]*)"/.exec(found.body)?.[1]
  return path === undefined ? undefined : svgIcon(found!.width ?? 512, found!.height ?? 512, path)
}

const findIcon = async (name: string): Promise<SVGElement | undefined> => {
  const solid = await import("@iconify-json/fa6-solid/icons.json", { with: { type: "json" } })
  const found = iconOf(solid.default as IconSet, name)
  if (found !== undefined) return found
  const brands = await import("@iconify-json/fa6-brands/icons.json", { with: { type: "json" } })
  return iconOf(brands.default as IconSet, name)
}
