/** What is around the content of a page, and not content: navigation, buttons, what is not seen. */
import type { Element } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { attribute, classesOf, elementsIn, isElement } from "./nodes.ts"

const never = new Set([
  ..."script style noscript template svg canvas object embed button select textarea nav footer dialog menu".split(
    " "
  ),
  ..."datalist applet frame frameset map area meter progress math audio link meta title head".split(" ")
])

/** Classes and ids of what themes put around and into texts. */
const noise =
  /^(?:[\w-]*breadcrumbs?[\w-]*|headerlink|header-?anchor|anchor-?link|hash-?link|heading-?anchor|anchorjs-link|edit-?(?:this-)?(?:page|link)|theme-edit-this-page|table-of-contents|tableofcontents|toc|on-this-page|pagination(?:-nav)?|pager|prev-next|page-?nav|sr-only|visually-hidden|visuallyhidden|screen-reader-text|skip-?(?:link|to-content|nav)?|copy-?(?:btn|button|code)?|clipboard(?:-copy)?|copybtn|share|social(?:-share|-links)?|cookie(?:-banner|-consent)?|newsletter|sidebar|side-?nav|navbar|nav-?menu|menu|feedback|was-this-helpful|comments?|disqus_thread|related(?:-posts)?|advert(?:isement)?|ads?|rst-footer-buttons|sphinxsidebar|md-sidebar|last-updated|page-?footer|site-?(?:header|footer))$/

/** Asides that are part of a text. */
const admonition =
  /admonition|callout|notice|note|tip|warning|caution|danger|alert|info|hint|important|aside--/

const hiding = /display\s*:\s*none|visibility\s*:\s*hidden/i

const isHidden = (element: Element): boolean =>
  element.properties.hidden === true ||
  attribute(element, "ariaHidden") === "true" ||
  hiding.test(attribute(element, "style") ?? "")

const roles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "menu",
  "menubar",
  "toolbar"
])

/** Whether an element is no content. */
export const isNoise = (element: Element): boolean => {
  const { tagName } = element
  if (never.has(tagName)) return true
  if (tagName === "input") return attribute(element, "type") !== "checkbox"
  if (isHidden(element)) return true
  const classes = classesOf(element)
  if (tagName === "aside") return !classes.some((name) => admonition.test(name))
  if (roles.has(attribute(element, "role") ?? "")) return true
  if (tagName === "header") return !elementsIn(element).some((inner) => isElement(inner, "h1", "h2"))
  // Whole pages are in elements of such names now and then; a text is not.
  if (tagName === "body" || tagName === "main" || tagName === "article") return false
  const id = attribute(element, "id")?.toLowerCase()
  return classes.some((name) => noise.test(name)) || (id !== undefined && noise.test(id))
}

const pointing = /^(?:[#¶§🔗​​]|link|anchor|permalink)*$/iu

/** Whether a link only points to the heading that it is in. */
export const isPointer = (link: Element): boolean =>
  attribute(link, "href")?.startsWith("#") === true &&
  (pointing.test(textOf(link).trim()) ||
    /^(?:permalink|direct link|link to)/i.test(attribute(link, "ariaLabel") ?? ""))
