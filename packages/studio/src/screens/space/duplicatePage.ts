/** Duplicates a page, without the pages below it. */
import type { ContentChange, Page } from "@lectern/client/fetch"
import { runChange } from "../../data/change.ts"
import { childrenOf, editContent, loadPage, type Place, parentsOf } from "../../data/content.ts"
import { navigate } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { addressOfPage, affectedKeys } from "./pageChanges.ts"
import { spaceStrings } from "./strings.ts"

/** The maximum length of a title, which is that of the API. */
const maximumTitle = 256

/** Returns the fields of a page that its copy has, other than its title. */
const copiedFields = (page: Page): Partial<Extract<ContentChange, { readonly operation: "insert_page" }>> => {
  const { emoji, icon, condition } = page
  const shared = {
    ...(emoji === undefined ? {} : { emoji }),
    ...(icon === undefined ? {} : { icon }),
    ...(condition === undefined ? {} : { condition })
  }
  switch (page.type) {
    case "group":
      return { ...shared, type: "group", hidden: page.hidden === true }
    case "link":
      return { ...shared, type: "link", hidden: page.hidden === true, target: page.target }
    case "computed":
      return { ...shared, type: "computed", computed: page.computed }
    case "document":
      return {
        ...shared,
        type: "document",
        hidden: page.hidden === true,
        layout: page.layout,
        ...(page.description === undefined ? {} : { description: page.description }),
        ...(page.cover === undefined ? {} : { cover: page.cover }),
        ...(page.markdown === undefined ? {} : { document: { markdown: page.markdown } })
      }
  }
}

/** Adds a copy of a page after it. */
export const duplicatePage = async (
  place: Place,
  pages: ReadonlyArray<Page>,
  { id, type, title }: Page
): Promise<void> => {
  const parent = parentsOf(pages, id).at(-1)
  const siblings = parent === undefined ? pages : childrenOf(parent)
  const copyTitle = translate(spaceStrings, "copyOf", { title }).slice(0, maximumTitle)
  const copy = await runChange({
    send: async () => {
      const page =
        type === "document"
          ? await loadPage(place, id, "markdown")
          : siblings.find((candidate) => candidate.id === id)!
      const [edited] = await editContent(place, [
        {
          operation: "insert_page",
          ...copiedFields(page),
          title: copyTitle,
          into: parent?.id ?? null,
          at: siblings.findIndex((sibling) => sibling.id === id) + 1
        }
      ])
      return edited === undefined ? undefined : typeof edited.page === "string" ? edited.page : edited.page.id
    },
    message: translate(spaceStrings, "duplicated", { title }),
    failure: translate(spaceStrings, "duplicateFailed", { title }),
    undo: async (created) =>
      created === undefined ? undefined : editContent(place, [{ operation: "delete_page", page: created }]),
    invalidates: affectedKeys(place)
  })
  if (copy !== undefined && type === "document") navigate(addressOfPage(place, copy))
}
