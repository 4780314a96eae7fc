/** The icons of Font Awesome, as vector graphics. Their files are loaded with the first icon. */
import { createRequire } from "node:module"
import type { Graphic } from "./graphics.ts"

/** A collection of icons in the format of Iconify. */
interface IconSet {
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
  readonly width?: number
  readonly height?: number
}

const require = createRequire(import.meta.url)

let loaded: ReadonlyArray<IconSet> | undefined

const loadSets = (): ReadonlyArray<IconSet> => {
  loaded ??= ["fa6-solid", "fa6-brands"].map((name) => require(`@iconify-json/${name}/icons.json`) as IconSet)
  return loaded
}

/** The icons that GitBook displays in hints, by style. */
export const hintIcons: Readonly<Record<string, string>> = {
  info: "circle-info",
  success: "circle-check",
  warning: "circle-exclamation",
  danger: "triangle-exclamation"
}

/** Returns an icon by its name, or `undefined` if it does not exist. */
export const iconNamed = (name: string, alternative = ""): Graphic | undefined => {
  for (const set of loadSets()) {
    const known = Object.hasOwn(set.icons, name)
      ? name
      : set.aliases !== undefined && Object.hasOwn(set.aliases, name)
        ? set.aliases[name]!.parent
        : undefined
    const icon = known === undefined ? undefined : set.icons[known]
    if (icon === undefined) continue
    const [width, height] = [icon.width ?? set.width ?? 16, icon.height ?? set.height ?? 16]
    const paths = Array.from(icon.body.matchAll(/ d="([^"]*)"/g), ([, path]) => path!)
    return {
      type: "Figure",
      alternative,
      width: width / height,
      ascent: 0.88,
      descent: 0.12,
      shapes: paths.map((path) => ({
        path,
        matrix: [1 / height, 0, 0, 1 / height, 0, -0.88] as const
      }))
    }
  }
  return undefined
}
