/** Creates nodes whose text has no marks: code blocks and the captions of images. */
import type { Code } from "../../../model/content/document/Block.ts"

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

/** Creates a code block with a node per line. */
export const toCode = (value: string, data: Code["data"], key: string): Code => ({
  object: "block",
  type: "code",
  key,
  isVoid: false,
  data,
  nodes: value.split("\n").map((line, index) => ({
    object: "block",
    type: "code-line",
    key: `${key}.${index}`,
    isVoid: false,
    data: {},
    nodes: [toText(line, `${key}.${index}.0`)]
  }))
})
