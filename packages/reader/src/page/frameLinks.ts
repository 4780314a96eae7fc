/** Links and images of the frame of a page. */
import { linkAttributes } from "../document/Renderer.ts"
import { type Content, element, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import type { HeaderLink, LinkItem, SiteFrame, ThemedImage } from "./PageModel.ts"

/** The attributes of a link of the frame. */
export const attributesOf = (
  frame: SiteFrame,
  link: { readonly href: LinkItem["href"]; readonly isExternal?: boolean }
) =>
  linkAttributes(
    { href: link.href, isExternal: link.isExternal === true },
    frame.customization.externalLinks.target === "blank"
  )

/** Renders an image for both themes. */
export const themedImage = ({ light, dark }: ThemedImage, alt: string): Content =>
  light === dark
    ? element("img", { src: light, alt })
    : [
        element("img", { src: light, alt, class: "only-light" }),
        element("img", { src: dark, alt, class: "only-dark" })
      ]

/** Renders the links of the header, which are in the sidebar on a narrow screen. */
export const renderHeaderLinks = (frame: SiteFrame, links: ReadonlyArray<HeaderLink>): Html =>
  links.length === 0
    ? nothing
    : element(
        "ul",
        { class: "header-links" },
        links.map((link) => {
          if (link.items.length > 0) {
            return element(
              "li",
              {},
              element(
                "details",
                { class: "menu" },
                element("summary", {}, link.title, icon("chevron-down")),
                element(
                  "ul",
                  {},
                  [...(link.href === undefined ? [] : [{ ...link, href: link.href }]), ...link.items].map(
                    (item) => element("li", {}, element("a", attributesOf(frame, item), item.title))
                  )
                )
              )
            )
          }
          if (link.href === undefined) return nothing
          const className = link.style === "link" ? undefined : `button ${link.style}`
          return element(
            "li",
            {},
            element(
              "a",
              { class: className, ...attributesOf(frame, { ...link, href: link.href }) },
              link.title
            )
          )
        })
      )
