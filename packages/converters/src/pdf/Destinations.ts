/** The named destinations of a document, which its links refer to. */
import { type Document, endObject, type PdfObject, toPdfString } from "./pdfkit.ts"

/** A position: a page, and the distance to its lower edge in points. */
interface Destination {
  readonly page: PdfObject
  readonly bottom: number
}

/** The number of destinations of a leaf of the tree. */
const leafSize = 64

/** Whether pdfkit encodes a name as UTF-16 with a byte order mark, which is greater than all other first bytes. */
const isWide = (name: string): boolean => /[^\0-\x7f]/.test(name)

/** Compares names by their bytes in the file. Viewers search the tree by bisection. */
const compareNames = (a: string, b: string): number =>
  Number(isWide(a)) - Number(isWide(b)) || (a < b ? -1 : a > b ? 1 : 0)

/** Collects destinations, and writes them as a tree that is sorted by name. */
export class Destinations {
  private readonly document: Document
  private readonly destinations = new Map<string, Destination>()

  constructor(document: Document) {
    this.document = document
  }

  /** Adds a destination on the current page, unless the name has one already. */
  add(name: string, bottom: number): void {
    if (!this.destinations.has(name))
      this.destinations.set(name, { page: this.document.page.dictionary, bottom })
  }

  /** Adds `alias` for the destination `name`, unless `alias` has a destination already. */
  addAlias(alias: string, name: string): void {
    const destination = this.destinations.get(name)
    if (destination !== undefined && !this.destinations.has(alias)) this.destinations.set(alias, destination)
  }

  /** Writes the tree. No destinations are added afterwards. */
  write(): void {
    const names = [...this.destinations.keys()].sort(compareNames)
    const leaves: Array<PdfObject> = []
    for (let at = 0; at < names.length; at += leafSize) {
      const some = names.slice(at, at + leafSize)
      leaves.push(
        endObject(
          this.document.ref({
            Limits: [toPdfString(some[0]!), toPdfString(some.at(-1)!)],
            Names: some.flatMap((name) => {
              const { page, bottom } = this.destinations.get(name)!
              return [toPdfString(name), [page, "XYZ", null, bottom, null]]
            })
          })
        )
      )
    }
    this.document._root.data.Names.data.Dests = { Kids: leaves }
  }
}
