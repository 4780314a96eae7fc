/** Addresses of a website: which of them name the same page, and which are in the part that is imported. */
import { unescaped } from "../../kernel/schema/Text.ts"

/** Endings of what is no web page: it is not asked for. */
const other =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|js|mjs|json|xml|rss|atom|txt|md|pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|jar|war|whl|woff2?|ttf|otf|eot|mp[34]|m4[av]|mov|avi|webm|ogg|wav|flac|docx?|xlsx?|pptx?|odt|ods|csv|ics|wasm|map|yaml|yml|toml)$/i

const index = /(?:^|(?<=\/))(?:index|default)\.(?:html?|php|aspx?)$/i

/** What an address is known by: that of a folder with or without its slash, or its index, is one. */
export const keyOf = (address: string): string => {
  const { origin, pathname, search } = new URL(address)
  const path = pathname.replace(index, "").replace(/\/+$/, "")
  return `${origin}${path === "" ? "/" : path}${search}`
}

/** The part of a website that is imported: an origin, and a path in it. */
export interface Scope {
  readonly origin: string
  /** The folder, ending in a slash. */
  readonly folder: string
}

/** The folder that an address opens: of a file, the one that it is in. */
const folderOf = (pathname: string): string =>
  /\.[a-z\d]{1,5}$/i.test(pathname)
    ? pathname.slice(0, pathname.lastIndexOf("/") + 1)
    : `${pathname.replace(/\/+$/, "")}/`

/** The scope of an import that was asked for at one address, and began at another, behind redirects. */
export const scopeOf = (asked: string, begun: string): Scope => {
  const { origin, pathname } = new URL(begun)
  const folder = folderOf(new URL(asked).pathname)
  return { origin, folder: `${pathname}/`.startsWith(folder) ? folder : folderOf(pathname) }
}

/** Whether an address is in a scope, and may be a web page. */
export const isPageIn = ({ origin, folder }: Scope, address: string): boolean => {
  const url = new URL(address)
  return url.origin === origin && `${url.pathname}/`.startsWith(folder) && !other.test(url.pathname)
}

/** The place of an address below the folder of its scope. */
export const segmentsOf = ({ folder }: Scope, address: string): ReadonlyArray<string> => {
  const { pathname, search } = new URL(address)
  const path = pathname
    .replace(index, "")
    .slice(folder.length)
    .replace(/\.(?:html?|php|aspx?)$/i, "")
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(unescaped)
  return search === "" ? segments : [...segments.slice(0, -1), `${segments.at(-1) ?? ""}${search}`]
}
