/** Renders the head of a page: its metadata and its assets. */
import { element, type Html, nothing, script, styleSheet } from "../html/Html.ts"
import { emojiFavicon } from "./favicon.ts"
import type { PageMetadata, SiteFrame } from "./PageModel.ts"

/** Renders the head. */
export const renderHead = (frame: SiteFrame, title: string, metadata: PageMetadata): Html => {
  const { assets, favicon, siteTitle, messages } = frame
  const fullTitle = title === siteTitle ? title : `${title} | ${siteTitle}`
  const property = (name: string, content: string | undefined): Html =>
    content === undefined ? nothing : element("meta", { property: name, content })
  return element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", {}, fullTitle),
    metadata.description !== undefined &&
      element("meta", { name: "description", content: metadata.description }),
    !metadata.isIndexed && element("meta", { name: "robots", content: "noindex" }),
    metadata.isExcludedFromSearch === true && element("meta", { name: "lectern-search", content: "none" }),
    metadata.canonical !== undefined && element("link", { rel: "canonical", href: metadata.canonical }),
    metadata.markdown !== undefined &&
      element("link", { rel: "alternate", type: "text/markdown", href: metadata.markdown }),
    (metadata.feeds ?? []).map(({ title: feedTitle, type, href }) =>
      element("link", { rel: "alternate", type, title: feedTitle, href })
    ),
    (metadata.alternates ?? []).map(([hreflang, href]) =>
      element("link", { rel: "alternate", hreflang, href })
    ),
    property("og:title", title),
    property("og:site_name", siteTitle),
    property("og:type", "article"),
    property("og:description", metadata.description),
    property("og:url", metadata.canonical),
    property("og:image", metadata.image),
    property("og:locale", messages.locale.replace("-", "_")),
    element("meta", {
      name: "twitter:card",
      content: metadata.image === undefined ? "summary" : "summary_large_image"
    }),
    element("meta", { name: "generator", content: "Lectern" }),
    favicon !== undefined && "light" in favicon
      ? [
          element("link", { rel: "icon", href: favicon.light, media: "(prefers-color-scheme: light)" }),
          element("link", { rel: "icon", href: favicon.dark, media: "(prefers-color-scheme: dark)" })
        ]
      : element("link", { rel: "icon", href: emojiFavicon(favicon?.emoji) }),
    styleSheet(assets.style),
    styleSheet(assets.theme),
    script(assets.script),
    assets.consent !== undefined && script(assets.consent),
    frame.askUrl !== undefined && assets.ask !== undefined && script(assets.ask),
    metadata.sendsRequests === true && assets.requests !== undefined && script(assets.requests)
  )
}
