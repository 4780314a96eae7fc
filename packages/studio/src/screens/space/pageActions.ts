/** The actions of a page: in its menu of the tree, in the menu of its screen, and in the command palette. */
import type { Page } from "@lectern/client/fetch"
import type { Action } from "../../actions/actions.ts"
import { type Place, placePath } from "../../data/content.ts"
import { showToast } from "../../data/toasts.ts"
import { toHref } from "../../router/location.ts"
import { type Translate, translate } from "../../strings/strings.ts"
import { openCreatePage, openMovePage, openRenamePage } from "./openPageDialogs.ts"
import { deletePage, setHidden } from "./pageChanges.ts"
import { spaceStrings } from "./strings.ts"

/** Displays the pages that link to a page. */
const openPageUses = async (place: Place, page: Page): Promise<void> => {
  const [{ openUses }, { loadPageUses }] = await Promise.all([
    import("../resources/UsedInDialog.tsx"),
    import("../resources/uses.ts")
  ])
  openUses({ place, key: page.id, title: page.title, load: (signal) => loadPageUses(place, page, signal) })
}

const copyLink = async (place: Place, page: Page): Promise<void> => {
  const url = new URL(toHref(placePath(place, page)), window.location.href).href
  try {
    await navigator.clipboard.writeText(url)
    showToast({ kind: "done", message: translate(spaceStrings, "linkCopied") })
  } catch {
    showToast({ kind: "done", message: translate(spaceStrings, "linkNotCopied", { url }) })
  }
}

/** The actions of a page that are possible. */
export const pageActions = (
  place: Place,
  pages: ReadonlyArray<Page>,
  page: Page,
  canEdit: boolean
): ReadonlyArray<Action> => {
  const t: Translate<(typeof spaceStrings)["en"]> = (key, ...values) =>
    translate(spaceStrings, key, ...values)
  const always: ReadonlyArray<Action> = [
    { id: "page.copy", label: t("copyLink"), run: () => void copyLink(place, page) },
    { id: "page.uses", label: t("usedIn"), run: () => void openPageUses(place, page) }
  ]
  if (!canEdit) return always
  return [
    ...("pages" in page
      ? [
          {
            id: "page.insert",
            label: t("newPageIn"),
            run: () => openCreatePage(place, pages, "document", page.id)
          }
        ]
      : []),
    ...(page.type === "group" || page.type === "link"
      ? [
          {
            id: "page.nodeSettings",
            label: t("settings"),
            run: () =>
              void import("./NodeSettingsDialog.tsx").then(({ openNodeSettings }) =>
                openNodeSettings(place, page)
              )
          }
        ]
      : []),
    { id: "page.rename", label: t("rename"), run: () => openRenamePage(place, page) },
    {
      id: "page.duplicate",
      label: t("duplicate"),
      run: () =>
        void import("./duplicatePage.ts").then(({ duplicatePage }) => duplicatePage(place, pages, page))
    },
    { id: "page.move", label: t("moveTo"), run: () => openMovePage(place, pages, page) },
    ...(page.type === "computed"
      ? []
      : [
          {
            id: "page.hide",
            label: page.hidden === true ? t("show") : t("hide"),
            run: () => void setHidden(place, page, page.hidden !== true)
          }
        ]),
    ...always,
    { id: "page.delete", label: t("remove"), isDangerous: true, run: () => deletePage(place, pages, page) }
  ]
}
