/** Detects elements that are not content, such as navigation, buttons and hidden elements. */
import type { Element } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { attribute, classesOf, elementsIn, isElement } from "./nodes.ts"

const nonContentElements = new Set([
  ..."script style noscript template svg canvas object embed button select textarea nav footer dialog menu".split(
    " "
  ),
  ..."datalist applet frame frameset map area meter progress math audio link meta title head".split(" ")
])

/** Classes and ids of such elements in themes of documentation sites. */
const noiseName =
  /^(?:[\w-]*breadcrumbs?[\w-]*|headerlink|header-?anchor|anchor-?link|hash-?link|heading-?anchor|anchorjs-link|edit-?(?:this-)?(?:page|link)|theme-edit-this-page|table-of-contents|tableofcontents|toc|on-this-page|pagination(?:-nav)?|pager|prev-next|page-?nav|sr-only|visually-hidden|visuallyhidden|screen-reader-text|skip-?(?:link|to-content|nav)?|copy-?(?:btn|button|code)?|clipboard(?:-copy)?|copybtn|share|social(?:-share|-links)?|cookie(?:-banner|-consent)?|newsletter|(?:(?:col|right|left|page|site|docs?|toc)-)?sidebar|page-menu|side-?nav|navbar|nav-?menu|menu|feedback|was-this-helpful|comments?|disqus_thread|related(?:-posts)?|advert(?:isement)?|ads?|rst-footer-buttons|sphinxsidebar|md-sidebar|last-updated|page-?footer|site-?(?:header|footer)|(?:search|has|no)-results)$/

/** Classes of asides that are part of the content. */
const admonitionName =
  /admonition|callout|notice|note|tip|warning|caution|danger|alert|info|hint|important|aside--/

const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i

const isHidden = (element: Element): boolean =>
  element.properties.hidden === true ||
  attribute(element, "ariaHidden") === "true" ||
  hiddenStyle.test(attribute(element, "style") ?? "")

const nonContentRoles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "menu",
  "menubar",
  "toolbar"
])

/** Classes of the lists of the pages below a page. The tree of pages replaces them. */
const contentsName = /^(?:toctree-wrapper|toc)$/

/** Returns whether an element lists pages that the page tree contains, or searches the website. */
export const isRemovedFromContent = (element: Element): boolean =>
  isElement(element, "div", "dl") && classesOf(element).some((name) => contentsName.test(name))

/** Returns whether an element is not content. */
export const isNoise = (element: Element): boolean => {
  const { tagName } = element
  if (nonContentElements.has(tagName)) return true
  if (tagName === "input") return attribute(element, "type") !== "checkbox"
  if (isHidden(element)) return true
  const classes = classesOf(element)
  if (tagName === "aside") return !classes.some((name) => admonitionName.test(name))
  if (nonContentRoles.has(attribute(element, "role") ?? "")) return true
  if (tagName === "header") return !elementsIn(element).some((inner) => isElement(inner, "h1", "h2"))
  // Some pages give these elements such a class, though they contain the whole content.
  if (tagName === "body" || tagName === "main" || tagName === "article") return false
  const id = attribute(element, "id")?.toLowerCase()
  return classes.some((name) => noiseName.test(name)) || (id !== undefined && noiseName.test(id))
}

const anchorText = /^(?:[#¶§🔗​​]|link|anchor|permalink)*$/iu

/** Returns whether a link is the permalink of the heading that contains it. */
export const isHeadingAnchor = (link: Element): boolean =>
  attribute(link, "href")?.startsWith("#") === true &&
  (anchorText.test(textOf(link).trim()) ||
    /^(?:permalink|direct link|link to)/i.test(attribute(link, "ariaLabel") ?? ""))
