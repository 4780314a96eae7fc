/** The emojis that can be entered by name. Loaded with the first search. */
import { gemoji } from "gemoji"

/** An emoji with its names and its code points in hexadecimal, without variation selectors. */
export interface Emoji {
  readonly emoji: string
  readonly names: ReadonlyArray<string>
  readonly code: string
}

/** The emojis that can be entered by name. */
export const emojiList: ReadonlyArray<Emoji> = gemoji.map(({ emoji, names, tags }) => ({
  emoji,
  names: [...names, ...tags],
  code: Array.from(emoji, (character) => character.codePointAt(0)!.toString(16))
    .filter((code) => code !== "fe0f")
    .join("-")
}))
