/** Where the links of a page lead in a document, and which places of it they need. */
import { type Book, type BookFile, type BookPage, type BookTarget, unescaped } from "@lectern/core/conversion"
import type { Link } from "./lines.ts"

/** The name of the place where a page begins, or one of its headings or notes. */
export const placeOf = (page: string, anchor?: string): string =>
  anchor === undefined ? `page:${page}` : `page:${page}#${anchor}`

const pageAddress = /^\/pages\/([A-Za-z0-9._~-]{1,64})(?:#([\s\S]*))?$/
const fileAddress = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** The longest address that is linked to. */
const longest = 2048

/** An address outside; `undefined` where it is none that a reader may be led to from a document. */
const outside = (address: string): Link | undefined =>
  /^(https?|mailto):/i.test(address) && URL.canParse(address) ? { url: new URL(address).href } : undefined

/** The links of a book. */
export class Links {
  private readonly book: Book
  private readonly printed: ReadonlySet<string>
  /** Places that links lead to; those that turn out not to be there become that of their page. */
  readonly wanted = new Map<string, string>()

  constructor(book: Book, printed: ReadonlySet<string>) {
    this.book = book
    this.printed = printed
  }

  /** The file that an address names. */
  file(address: string): BookFile | undefined {
    const id = fileAddress.exec(address)?.[1]
    return id === undefined ? undefined : (this.book.files as ReadonlyMap<string, BookFile>).get(id)
  }

  /** A page, or a place in it: in the document where it is printed, else in the application. */
  page(id: string, anchor?: string): Link | undefined {
    if (this.printed.has(id)) {
      const place = placeOf(id, anchor === undefined || anchor === "" ? undefined : unescaped(anchor))
      this.wanted.set(place, id)
      return { place }
    }
    const address = this.book.addresses.get(id)
    return address === undefined ? undefined : { url: anchor ? `${address}#${anchor}` : address }
  }

  /** Where an address in a page leads; `undefined` where a reader could not follow it. */
  of(address: string, from: BookPage): Link | undefined {
    if (address.length > longest) return undefined
    if (address.startsWith("#")) return this.page(from.id, address.slice(1))
    const named = pageAddress.exec(address)
    if (named !== null) return this.page(named[1]!, named[2])
    if (fileAddress.test(address)) {
      const file = this.file(address)
      return file === undefined ? undefined : { url: file.url }
    }
    return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(address) ? outside(address) : this.byPath(address, from)
  }

  /** Where a page that is a link leads. */
  ofTarget(target: BookTarget): Link | undefined {
    return "url" in target ? outside(target.url) : this.page(target.page, target.anchor)
  }

  /** A link by the path of a page, relative to that of another, as they are in a repository. */
  private byPath(address: string, from: BookPage): Link | undefined {
    const base = `http://book/${from.path.split("/").map(encodeURIComponent).join("/")}`
    if (!URL.canParse(address, base)) return undefined
    const { pathname, hash } = new URL(address, base)
    const path = unescaped(pathname)
      .replace(/^\/+|\/+$/g, "")
      .replace(/(^|\/)(README|index)\.md$|\.md$/i, "")
    const id = this.book.paths.get(path)
    return id === undefined ? undefined : this.page(id, hash.slice(1) || undefined)
  }
}
