/** The emojis with a name, such as `smile`, by name and by code. */
import { gemoji } from "gemoji"

/** Returns the code of an emoji: its code points in hexadecimal, without variation selectors. */
const codeOf = (emoji: string): string =>
  [...emoji]
    .map((character) => character.codePointAt(0)!.toString(16))
    .filter((code) => code !== "fe0f")
    .join("-")

interface Named {
  readonly code: string
  readonly emoji: string
}

const byName = new Map<string, Named>()
const byCode = new Map<string, { readonly name: string; readonly emoji: string }>()
for (const { emoji, names } of gemoji) {
  const code = codeOf(emoji)
  for (const name of names) byName.set(name, { code, emoji })
  if (!byCode.has(code)) byCode.set(code, { name: names[0]!, emoji })
}

/** The emoji with a name. */
export const emojiNamed = (name: string): Named | undefined => byName.get(name)

/** Returns the name of an emoji that names its code, or undefined. */
export const nameOfEmoji = (code: string): string | undefined => byCode.get(code)?.name

/** The characters of an emoji, by its code. */
export const charactersOfEmoji = (code: string): string => {
  const points = code.split("-").map((point) => Number.parseInt(point, 16))
  return (
    byCode.get(code)?.emoji ??
    (points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points).toWellFormed() : "\uFFFD")
  )
}
