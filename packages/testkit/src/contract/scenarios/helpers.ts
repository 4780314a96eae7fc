/** Functions that several scenarios share. */
import type { CompleteCustomization, EditedContent } from "@lectern/model"

/** Returns the ids of the pages that a batch of changes inserted or updated, in its order. */
export const pagesOf = ({ changes }: EditedContent): ReadonlyArray<string> =>
  changes.flatMap((change) => {
    const page = "page" in change ? change.page : undefined
    return typeof page === "object" ? [page.id] : []
  })

/** Returns the ids of the items of a list. */
export const idsOf = (list: {
  readonly items: ReadonlyArray<{ readonly id: string }>
}): ReadonlyArray<string> => list.items.map(({ id }) => id)

/** Returns the titles of the items of a list. */
export const titlesOf = (list: {
  readonly items: ReadonlyArray<{ readonly title: string }>
}): ReadonlyArray<string> => list.items.map(({ title }) => title)

/** Returns a customization in the form of requests, without the actions that the server derives from other settings. */
export const writableOf = ({ pageActions, ...others }: CompleteCustomization) => {
  const { items: _, ...stored } = pageActions
  return { ...others, pageActions: stored }
}

/** Returns text as a document, the alternative to Markdown in the body of a page or a comment. */
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
