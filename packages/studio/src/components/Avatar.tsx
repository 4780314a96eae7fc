/** The initials of a person or an organization, in a color that depends on its name. */

import type { CSSProperties } from "react"

const hues = [12, 40, 90, 150, 190, 220, 262, 310] as const

const hueOf = (name: string): number => {
  let sum = 0
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 9_973
  return hues[sum % hues.length]!
}

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase()
}

/** Properties of {@link Avatar}. */
export interface AvatarProps {
  readonly name: string
  readonly size?: "small" | "normal" | "large"
  readonly isSquare?: boolean
}

/** The initials of a name. Photos of other servers are not loaded. */
export const Avatar = ({ name, size = "normal", isSquare = false }: AvatarProps) => (
  <span
    aria-hidden
    className={`avatar avatar-${size}${isSquare ? " is-square" : ""}`}
    // The initials are decoration: the element that contains the avatar has the name.
    data-initials={initialsOf(name)}
    style={{ "--hue": hueOf(name) } as CSSProperties}
  />
)
