/** Resolves the links of pages to URLs or to destinations in the document. */
import {
  type Book,
  type BookFile,
  type BookPage,
  type BookTarget,
  type ContentRef,
  unescaped
} from "@lectern/formats/threads"
import type { Link } from "./lines.ts"

/** Returns the name of the destination of a page, or of one of its headings or footnotes. */
export const destinationName = (page: string, anchor?: string): string =>
  anchor === undefined ? `page:${page}` : `page:${page}#${anchor}`

const pageAddress = /^\/pages\/([A-Za-z0-9._~-]{1,64})(?:#([\s\S]*))?$/
const fileAddress = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** The maximum length of a link's address, in characters. */
const maxAddressLength = 2048

/** Returns a link to an external address, or `undefined` unless its scheme is HTTP, HTTPS or mailto. */
const externalLink = (address: string): Link | undefined =>
  /^(https?|mailto):/i.test(address) && URL.canParse(address) ? { url: new URL(address).href } : undefined

/** Resolves the links of a book. */
export class Links {
  private readonly book: Book
  private readonly printed: ReadonlySet<string>
  private readonly titles: ReadonlyMap<string, string>
  /**
   * Ids of pages by the names of destinations that links refer to. Missing destinations become aliases of their page.
   */
  readonly referenced = new Map<string, string>()

  constructor(book: Book, printed: ReadonlySet<string>) {
    this.book = book
    this.titles = new Map(book.pages.map(({ id, title }) => [id, title]))
    this.printed = printed
  }

  /** Returns the file of an address such as `/files/<id>`. */
  file(address: string): BookFile | undefined {
    const id = fileAddress.exec(address)?.[1]
    return id === undefined ? undefined : this.fileWithId(id)
  }

  /**
   * Returns a link to a page or a heading of it: in the document if the page is printed, otherwise in the application.
   */
  pageLink(id: string, anchor?: string): Link | undefined {
    if (this.printed.has(id)) {
      const destination = destinationName(
        id,
        anchor === undefined || anchor === "" ? undefined : unescaped(anchor)
      )
      this.referenced.set(destination, id)
      return { destination }
    }
    const address = this.book.addresses.get(id)
    return address === undefined ? undefined : { url: anchor ? `${address}#${anchor}` : address }
  }

  /** Resolves an address in a page. Returns `undefined` if a reader could not follow it. */
  resolve(address: string, from: BookPage): Link | undefined {
    if (address.length > maxAddressLength) return undefined
    if (address.startsWith("#")) return this.pageLink(from.id, address.slice(1))
    const named = pageAddress.exec(address)
    if (named !== null) return this.pageLink(named[1]!, named[2])
    if (fileAddress.test(address)) {
      const file = this.file(address)
      return file === undefined ? undefined : { url: file.url }
    }
    return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)
      ? externalLink(address)
      : this.resolvePath(address, from)
  }

  /** Resolves the target of a link in a document. Returns `undefined` if a reader could not follow it. */
  resolveRef(ref: ContentRef, from: BookPage): Link | undefined {
    switch (ref.kind) {
      case "page":
        return ref.space === undefined ? this.pageLink(ref.page) : undefined
      case "anchor":
        return ref.space === undefined ? this.pageLink(ref.page ?? from.id, ref.anchor) : undefined
      case "file": {
        const file = this.fileWithId(ref.file)
        return file === undefined ? undefined : { url: file.url }
      }
      case "url":
        return this.resolve(ref.url, from)
      default:
        return undefined
    }
  }

  /** Returns the title of the target of a link: the title of a page, or the name of a file. */
  titleOf(ref: ContentRef): string | undefined {
    if (ref.kind === "page" || (ref.kind === "anchor" && ref.page !== undefined)) {
      return this.titles.get(ref.page!)
    }
    return ref.kind === "file" ? this.fileWithId(ref.file)?.name : undefined
  }

  /** Returns the file of a reference. */
  fileOf(ref: ContentRef): BookFile | undefined {
    return ref.kind === "file"
      ? this.fileWithId(ref.file)
      : ref.kind === "url"
        ? this.file(ref.url)
        : undefined
  }

  private fileWithId(id: string): BookFile | undefined {
    return (this.book.files as ReadonlyMap<string, BookFile>).get(id)
  }

  /** Resolves the target of a page that is a link. */
  resolveTarget(target: BookTarget): Link | undefined {
    return "url" in target ? externalLink(target.url) : this.pageLink(target.page, target.anchor)
  }

  /** Resolves the path of a page relative to another page, such as `../setup.md` in a Git repository. */
  private resolvePath(address: string, from: BookPage): Link | undefined {
    const base = `http://book/${from.path.split("/").map(encodeURIComponent).join("/")}`
    if (!URL.canParse(address, base)) return undefined
    const { pathname, hash } = new URL(address, base)
    const path = unescaped(pathname)
      .replace(/^\/+|\/+$/g, "")
      .replace(/(^|\/)(README|index)\.md$|\.md$/i, "")
    const id = this.book.paths.get(path)
    return id === undefined ? undefined : this.pageLink(id, hash.slice(1) || undefined)
  }
}
