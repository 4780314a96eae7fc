/**
 * The icons of content, as the reader displays them: an outline if there is one. The collections of all icons are loaded with the first that
 * is not of the interface.
 */
import { iconElement, svgIcon } from "../ui/dom.ts"
import { icons, outlinedIcons } from "../ui/icons.gen.ts"

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Creates an icon of content that the interface has, too. */
export const contentIcon = (name: string): SVGElement => {
  const outlined = Object.hasOwn(outlinedIcons, name) ? outlinedIcons[name] : undefined
  return outlined === undefined ? iconElement(name) : svgIcon(...outlined)
}

/** Fills an element with the icon of a name. An unknown name is displayed as text. */
export const fillIcon = (into: HTMLElement, name: string): void => {
  if (Object.hasOwn(icons, name)) {
    into.replaceChildren(contentIcon(name))
    return
  }
  into.textContent = name
  if (!namePattern.test(name)) return
  void findInSets(name)
    .catch(() => undefined)
    .then((found) => {
      if (found !== undefined && into.textContent === name) into.replaceChildren(found)
    })
}

interface IconSet {
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
  readonly width?: number
  readonly height?: number
}

const iconOf = (set: IconSet, name: string): SVGElement | undefined => {
  const alias = set.aliases !== undefined && Object.hasOwn(set.aliases, name) ? set.aliases[name] : undefined
  const known = Object.hasOwn(set.icons, name) ? name : (alias?.parent ?? "")
  const found = Object.hasOwn(set.icons, known) ? set.icons[known] : undefined
  if (found === undefined) return undefined
  const paths = Array.from(found.body.matchAll(/ d="([^"]*)"/g), ([, path]) => path).join("")
  return svgIcon(found.width ?? set.width ?? 512, found.height ?? set.height ?? 512, paths)
}

/** The collections in the order of the reader. */
const sets: ReadonlyArray<() => Promise<{ readonly default: unknown }>> = [
  () => import("@iconify-json/fa6-regular/icons.json", { with: { type: "json" } }),
  () => import("@iconify-json/fa6-solid/icons.json", { with: { type: "json" } }),
  () => import("@iconify-json/fa6-brands/icons.json", { with: { type: "json" } })
]

const findInSets = async (name: string): Promise<SVGElement | undefined> => {
  for (const load of sets) {
    const found = iconOf((await load()).default as IconSet, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the icon of a name. Returns `undefined` if no collection has it. */
export const findIcon = async (name: string): Promise<SVGElement | undefined> =>
  Object.hasOwn(icons, name) ? contentIcon(name) : namePattern.test(name) ? findInSets(name) : undefined
