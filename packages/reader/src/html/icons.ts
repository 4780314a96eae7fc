/** Font Awesome icons as inline vector graphics. Their files are loaded with the first icon. */
import { createRequire } from "node:module"
import { charactersOfEmoji } from "@lectern/formats/threads"
import { element, type Html } from "./Html.ts"

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

const loaded = new Map<string, IconSet>()

const loadSet = (name: string): IconSet => {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const set = require(`@iconify-json/${name}/icons.json`) as IconSet
  loaded.set(name, set)
  return set
}

const rendered = new Map<string, Html | undefined>()

/** The number of icons whose markup is cached; Font Awesome has about 2,000. */
const maximumCached = 4_000

/** The styles of icons. An icon that a style does not have is that of another one. */
type IconStyle = "regular" | "solid"

const setsOf: Readonly<Record<IconStyle, ReadonlyArray<string>>> = {
  regular: ["fa6-regular", "fa6-solid", "fa6-brands"],
  solid: ["fa6-solid", "fa6-regular", "fa6-brands"]
}

const findIcon = (name: string, style: IconStyle): Html | undefined => {
  for (const setName of setsOf[style]) {
    const set = loadSet(setName)
    const known = Object.hasOwn(set.icons, name)
      ? name
      : set.aliases !== undefined && Object.hasOwn(set.aliases, name)
        ? set.aliases[name]!.parent
        : undefined
    const found = known === undefined ? undefined : set.icons[known]
    if (found === undefined) continue
    const [width, height] = [found.width ?? set.width ?? 16, found.height ?? set.height ?? 16]
    const paths = Array.from(found.body.matchAll(/ d="([^"]*)"/g), ([, d]) => element("path", { d: d! }))
    return element(
      "svg",
      { class: "icon", viewBox: `0 0 ${width} ${height}`, fill: "currentColor", "aria-hidden": "true" },
      paths
    )
  }
  return undefined
}

/** Returns an icon by its name, such as `arrow-up`. Returns `undefined` without a name, and for unknown names. */
export const icon = (name: string | undefined, style: IconStyle = "regular"): Html | undefined => {
  if (name === undefined || !/^[a-z0-9-]{1,60}$/.test(name)) return undefined
  const key = `${style} ${name}`
  if (rendered.has(key)) return rendered.get(key)
  const found = findIcon(name, style)
  if (rendered.size < maximumCached) rendered.set(key, found)
  return found
}

/** Returns the emoji or the icon of a page. An emoji is a character, or its code points in hexadecimal. */
export const iconOfPage = (page: {
  readonly emoji?: string | undefined
  readonly icon?: string | undefined
}): Html | undefined => {
  if (page.emoji !== undefined && page.emoji !== "") {
    const isCode = /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(page.emoji)
    const characters = isCode ? charactersOfEmoji(page.emoji.toLowerCase()) : page.emoji
    return element("span", { class: "emoji", "aria-hidden": "true" }, characters ?? "")
  }
  return icon(page.icon)
}
