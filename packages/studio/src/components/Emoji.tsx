/** The emoji of a space or a page. */
import type { ReactNode } from "react"

/** Returns the character of an emoji, which the API returns as its code points, such as `1f4d6`, or as the character itself. */
export const characterOf = (emoji: string): string =>
  /^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/i.test(emoji)
    ? String.fromCodePoint(...emoji.split("-").map((code) => Number.parseInt(code, 16)))
    : emoji

/** An emoji, or an icon by default. */
export const Emoji = ({
  emoji,
  fallback
}: {
  readonly emoji: string | undefined
  readonly fallback: ReactNode
}) =>
  emoji === undefined || emoji === "" ? (
    fallback
  ) : (
    <span className="emoji" aria-hidden>
      {characterOf(emoji)}
    </span>
  )
