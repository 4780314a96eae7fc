/** Expectations that several scenarios share. */
import type { EditedContent } from "@lectern/core"

/** The pages that a batch of changes was about, in its order. */
export const pagesOf = ({ changes }: EditedContent): ReadonlyArray<string> =>
  changes.flatMap((change) => {
    const page = "page" in change ? change.page : undefined
    return typeof page === "object" ? [page.id] : []
  })

/** The ids of the items of a list. */
export const idsOf = (list: {
  readonly items: ReadonlyArray<{ readonly id: string }>
}): ReadonlyArray<string> => list.items.map(({ id }) => id)

/** The titles of the items of a list. */
export const titlesOf = (list: {
  readonly items: ReadonlyArray<{ readonly title: string }>
}): ReadonlyArray<string> => list.items.map(({ title }) => title)

/** Words as a document: the other form of a body, beside Markdown. */
export const documentOf = (text: string) => ({
  object: "document",
  data: {},
  nodes: [
    {
      object: "block",
      type: "paragraph",
      data: {},
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    }
  ]
})
