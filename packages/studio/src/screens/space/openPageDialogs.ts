/** Opens the dialogs on pages. Their code is loaded when the first one is opened. */
import type { Page } from "@lectern/client/fetch"
import type { Place } from "../../data/content.ts"

/** Opens the dialog that creates a page, a group or a link. */
export const openCreatePage = async (
  place: Place,
  pages: ReadonlyArray<Page>,
  kind: "document" | "group" | "link",
  parent?: string
): Promise<void> => (await import("./pageDialogs.tsx")).openCreatePage(place, pages, kind, parent)

/** Opens the dialog that renames a page. */
export const openRenamePage = async (place: Place, page: Page): Promise<void> =>
  (await import("./pageDialogs.tsx")).openRenamePage(place, page)

/** Opens the dialog that moves a page. */
export const openMovePage = async (place: Place, pages: ReadonlyArray<Page>, page: Page): Promise<void> =>
  (await import("./pageDialogs.tsx")).openMovePage(place, pages, page)
