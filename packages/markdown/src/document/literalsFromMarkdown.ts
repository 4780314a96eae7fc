/** Creates nodes whose text has no marks: code blocks and the captions of images. */
import type { Code } from "@lectern/model/document"

const toText = (text: string, key: string) => ({
  object: "text" as const,
  key,
  leaves: [{ object: "leaf" as const, text, marks: [] }]
})

/** Creates the caption of an image. */
export const toCaption = (title: string, key: string) => ({
  object: "fragment" as const,
  key,
  fragment: "caption" as const,
  nodes: [
    {
      object: "block" as const,
      type: "paragraph" as const,
      key: `${key}.0`,
      isVoid: false as const,
      nodes: [toText(title, `${key}.0.0`)]
    }
  ]
})

/** The maximum number of lines of a code block that have a node each. The last node has all further lines. */
const defaultMaximumLines = 2000

const linesOf = (value: string, maximumLines: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let start = 0
  while (lines.length < maximumLines - 1) {
    const end = value.indexOf("\n", start)
    if (end < 0) break
    lines.push(value.slice(start, end))
    start = end + 1
  }
  lines.push(value.slice(start))
  return lines
}

/** Creates a code block with a node per line, up to 2,000 nodes. */
export const toCode = (
  value: string,
  data: Code["data"],
  key: string,
  maximumLines: number = defaultMaximumLines
): Code => ({
  object: "block",
  type: "code",
  key,
  isVoid: false,
  data,
  nodes: linesOf(value, maximumLines).map((line, index) => ({
    object: "block",
    type: "code-line",
    key: `${key}.${index}`,
    isVoid: false,
    data: {},
    nodes: [toText(line, `${key}.${index}.0`)]
  }))
})
