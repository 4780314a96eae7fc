/** Lines of Markdown in blocks that are written as tags, for merges that are finer than lines. */
import type { Range } from "./parts.ts"
import { lineKinds } from "./words.ts"

type Lines = ReadonlyArray<string>

const namePattern = /\{%-?\s*@?([\w-]+)|<(\/?\w+)/

/** The name of the tag on a line. A closing tag has another name than its opening tag. */
const tagNameOf = (line: string): string => {
  const [, tag, element] = namePattern.exec(line) ?? []
  return tag ?? `<${element ?? ""}`
}

/** The lines of a range between its tags, and the tags: `n` tags are between `n + 1` groups, which can be empty. */
export interface TaggedLines {
  readonly groups: ReadonlyArray<Range>
  readonly tags: ReadonlyArray<number>
}

/** Divides a range of lines at its tags. `kinds` are the kinds of all lines. */
export const divideAtTags = (kinds: Uint8Array, [start, end]: Range): TaggedLines => {
  const groups: Array<Range> = []
  const tags: Array<number> = []
  let from = start
  for (let at = start; at < end; at++) {
    if (kinds[at] !== lineKinds.tag) continue
    groups.push([from, at])
    tags.push(at)
    from = at + 1
  }
  return { groups: [...groups, [from, end]], tags }
}

/** Whether lines have the same tags, regardless of their attributes. */
export const haveSameTags = (
  lines: Lines,
  tags: ReadonlyArray<number>,
  others: Lines,
  otherTags: ReadonlyArray<number>
): boolean =>
  tags.length === otherTags.length &&
  tags.every((line, index) => tagNameOf(lines[line]!) === tagNameOf(others[otherTags[index]!]!))

/** The maximum depth of blocks. Deeper ones, and tags that are not closed, do not count. */
const maximumDepth = 100

/** Returns the name of the innermost block of each line, such as `hint`; undefined outside of tags. */
export const blocksOfLines = (lines: Lines, kinds: Uint8Array): ReadonlyArray<string | undefined> => {
  const open: Array<string> = []
  return lines.map((line, at) => {
    if (kinds[at] !== lineKinds.tag) return open.at(-1)
    const name = tagNameOf(line).replace(/^<(\/?)/, (_, slash: string) => (slash === "" ? "" : "end"))
    if (!name.startsWith("end")) {
      if (open.length < maximumDepth) open.push(name)
      return name
    }
    // A tag that is not closed, such as `file`, ends with the block around it.
    const opening = open.lastIndexOf(name.slice(3))
    if (opening >= 0) open.length = opening
    return name.slice(3)
  })
}
