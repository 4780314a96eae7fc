/** Text with marked ranges, such as the matches of a search. */
import type { TextRange } from "@lectern/client/fetch"
import type { ReactNode } from "react"

/** Properties of {@link Highlighted}. */
export interface HighlightedProps {
  readonly text: string
  readonly ranges: ReadonlyArray<TextRange>
}

/** A string whose ranges are marked. */
export const Highlighted = ({ text, ranges }: HighlightedProps) => {
  const parts: Array<ReactNode> = []
  let position = 0
  for (const { start, end } of ranges) {
    if (start < position || end > text.length) continue
    parts.push(text.slice(position, start), <mark key={start}>{text.slice(start, end)}</mark>)
    position = end
  }
  parts.push(text.slice(position))
  return <>{parts}</>
}
