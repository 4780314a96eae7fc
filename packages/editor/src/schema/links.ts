/** The URLs of links that are pasted. */

const allowed = /^(?:https?|mailto|tel):/i

/** Returns the URL of the link of an element, without the redirects of Google Docs; `undefined` for other protocols. */
export const hrefOfElement = (element: Element): string | undefined => {
  const href = element.getAttribute("href")?.trim() ?? ""
  const target = /^https:\/\/www\.google\.com\/url\?(.*)$/.exec(href)?.[1]
  const url =
    target === undefined ? href : (new URLSearchParams(target.replaceAll("&amp;", "&")).get("q") ?? href)
  if (url === "") return undefined
  return /^[a-z][a-z0-9+.-]*:/i.test(url) && !allowed.test(url) ? undefined : url
}

/** Whether text is a single URL that can be a link. */
export const isUrl = (text: string): boolean =>
  text.length < 2_000 && /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(text) && URL.canParse(text)
