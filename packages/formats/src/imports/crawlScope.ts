/** The URLs of a website: which of them identify the same page, and which belong to the imported part. */
import { unescaped } from "@lectern/model/schema"

/** File extensions of resources that are not web pages. They are not requested. */
const otherExtension =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|js|mjs|json|xml|rss|atom|txt|md|pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|jar|war|whl|woff2?|ttf|otf|eot|mp[34]|m4[av]|mov|avi|webm|ogg|wav|flac|docx?|xlsx?|pptx?|odt|ods|csv|ics|wasm|map|yaml|yml|toml)$/i

const indexFile = /(?:^|(?<=\/))(?:index|default)\.(?:html?|php|aspx?)$/i

/** Returns the key of a URL. A folder has one key with or without its final slash or index file. */
export const resourceKey = (url: string): string => {
  const { origin, pathname, search } = new URL(url)
  const path = pathname.replace(indexFile, "").replace(/\/+$/, "")
  return `${origin}${path === "" ? "/" : path}${search}`
}

/** The imported part of a website: an origin, and a folder of it. */
export interface Scope {
  readonly origin: string
  /** The path of the folder, with a final slash. */
  readonly folder: string
}

/** Returns the folder of a path: the path itself, or the parent folder if the path has a file extension. */
const folderOf = (pathname: string): string =>
  /\.[a-z\d]{1,5}$/i.test(pathname)
    ? pathname.slice(0, pathname.lastIndexOf("/") + 1)
    : `${pathname.replace(/\/+$/, "")}/`

/**
 * Returns the scope of a crawl from the requested URL and the URL after redirects: the folder of the first on the origin of
 * the second, or the folder of the second if redirects left the first.
 */
export const crawlScope = (requestedUrl: string, finalUrl: string): Scope => {
  const { origin, pathname } = new URL(finalUrl)
  const folder = folderOf(new URL(requestedUrl).pathname)
  return { origin, folder: `${pathname}/`.startsWith(folder) ? folder : folderOf(pathname) }
}

/** Whether a URL is in the scope, and may be a web page by its file extension. */
export const isPageInScope = ({ origin, folder }: Scope, url: string): boolean => {
  const { origin: ownOrigin, pathname } = new URL(url)
  return ownOrigin === origin && `${pathname}/`.startsWith(folder) && !otherExtension.test(pathname)
}

/** Returns the path of a URL below the folder of its scope, without file extensions and index files. */
export const segmentsInScope = ({ folder }: Scope, url: string): ReadonlyArray<string> => {
  const { pathname, search } = new URL(url)
  const path = pathname
    .replace(indexFile, "")
    .slice(folder.length)
    .replace(/\.(?:html?|php|aspx?)$/i, "")
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(unescaped)
  return search === "" ? segments : [...segments.slice(0, -1), `${segments.at(-1) ?? ""}${search}`]
}
