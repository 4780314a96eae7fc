/** The description of a change request as text: its paragraphs, separated by blank lines. */
import type { ChangeRequestDescription } from "@lectern/client/fetch"
import { type BlockNode, textOf } from "../../document/nodes.ts"

const isPlain = (block: BlockNode): boolean =>
  block.type === "paragraph" &&
  (block.nodes ?? []).every(({ leaves }) => leaves?.every(({ marks }) => marks.length === 0) === true)

/** Returns the text of a description; `undefined` if it has anything but paragraphs without formatting, which text cannot express. */
export const textOfDescription = (description: ChangeRequestDescription | undefined): string | undefined => {
  const blocks = (description?.nodes ?? []) as ReadonlyArray<BlockNode>
  return blocks.every(isPlain) ? blocks.map(textOf).join("\n\n") : undefined
}

/** Returns the description with the paragraphs of the text. */
export const descriptionOfText = (text: string): ChangeRequestDescription => ({
  object: "document",
  data: {},
  nodes: text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => ({
      object: "block",
      type: "paragraph",
      data: {},
      nodes: [
        {
          object: "text",
          leaves: [{ object: "leaf", text: paragraph.replace(/\s*\n\s*/g, " "), marks: [] }]
        }
      ]
    }))
})
