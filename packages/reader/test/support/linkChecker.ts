/** Walks the pages of a site, and checks its internal links. */
import { type DefaultTreeAdapterMap, parse } from "parse5"

type Node = DefaultTreeAdapterMap["node"]

/** The links and the anchors of a page. */
interface Page {
  readonly links: ReadonlyArray<string>
  readonly ids: ReadonlySet<string>
  /** The number of API blocks without their operation. */
  readonly missingApis: number
}

const inspect = (html: string): Page => {
  const links: Array<string> = []
  const ids = new Set<string>()
  const visit = (node: Node): void => {
    if ("attrs" in node) {
      for (const { name, value } of node.attrs) {
        if (name === "id") ids.add(value)
        if ((name === "href" && node.tagName !== "link") || (name === "src" && node.tagName !== "iframe"))
          links.push(value)
      }
    }
    if ("childNodes" in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return { links, ids, missingApis: html.split('class="api-missing"').length - 1 }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A broken link, with the page that has it. */
export interface BrokenLink {
  readonly page: string
  readonly link: string
  readonly reason: string
}

/** The result of a walk. */
export interface LinkReport {
  /** The URLs of the pages and the documents of the site. */
  readonly urls: ReadonlyArray<string>
  readonly pages: number
  readonly links: number
  readonly broken: ReadonlyArray<BrokenLink>
  /** The number of API blocks without their operation. */
  readonly missing: number
}

/** Follows all links of a site from its root. Links to other sites are not followed. */
export const brokenLinks = async (root: string): Promise<LinkReport> => {
  const pages = new Map<string, Page | number>()
  const load = async (url: string): Promise<Page | number> => {
    const known = pages.get(url)
    if (known !== undefined) return known
    const response = await fetch(url)
    const isHtml = response.headers.get("content-type")?.startsWith("text/html") === true
    const text = await response.text()
    const body = isHtml ? text : ""
    const page = response.ok ? inspect(body) : response.status
    pages.set(url, page)
    return page
  }
  const broken: Array<BrokenLink> = []
  let missing = 0
  const waiting = [root]
  const visited = new Set(waiting)
  let links = 0
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const page = await load(url)
    if (typeof page === "number") continue
    missing += page.missingApis
    for (const link of page.links) {
      if (!URL.canParse(link, url)) {
        broken.push({ page: url, link, reason: "malformed" })
        continue
      }
      const target = new URL(link, url)
      const hash = decode(target.hash.slice(1))
      target.hash = ""
      const origin = new URL(root).origin
      if (target.origin !== origin) continue
      links++
      const found = await load(target.href)
      if (typeof found === "number") broken.push({ page: url, link, reason: String(found) })
      else if (hash !== "" && !found.ids.has(hash)) broken.push({ page: url, link, reason: "no such anchor" })
      if (target.href.startsWith(root) && !visited.has(target.href) && !target.pathname.includes("/~/")) {
        visited.add(target.href)
        waiting.push(target.href)
      }
    }
  }
  return { urls: [...visited], pages: visited.size, links, broken, missing }
}
