/** Renders pages outside of any site. */
import type { Assets } from "../assets/files.ts"
import { type Content, element, htmlDocument, styleSheet } from "../html/Html.ts"
import type { SafeUrl } from "../html/urls.ts"

/** Renders a page without a site: a message or a form. `assetPath` is the relative URL of the assets. */
export const renderPlainPage = (
  assets: Assets,
  assetPath: string,
  title: string,
  ...content: ReadonlyArray<Content>
): string =>
  htmlDocument(
    element(
      "html",
      { lang: "en" },
      element(
        "head",
        {},
        element("meta", { charset: "utf-8" }),
        element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
        element("meta", { name: "robots", content: "noindex" }),
        element("title", {}, title),
        styleSheet(`${assetPath}${assets.style.name}` as SafeUrl)
      ),
      element("body", {}, element("main", { class: "form-page" }, element("h1", {}, title), content))
    )
  )

/** Renders the page for a site that does not exist, or that the reader cannot see. */
export const renderPlainNotFound = (assets: Assets, assetPath: string): string =>
  renderPlainPage(
    assets,
    assetPath,
    "Not found",
    element("p", {}, "There is no published page at this address.")
  )
