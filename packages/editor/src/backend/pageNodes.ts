/** The tree of pages of a content. */

/** A page with the pages below it. */
export interface PageNode {
  readonly id: string
  readonly title: string
  readonly emoji?: string
  readonly description?: string
  readonly urls?: { readonly app: string }
  readonly pages?: ReadonlyArray<PageNode>
}

/** The emoji of a page: its characters, or their code points in hexadecimal. */
export const emojiOf = (emoji: string | undefined): string | undefined =>
  emoji !== undefined && /^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*$/i.test(emoji)
    ? String.fromCodePoint(...emoji.split("-").map((code) => Number.parseInt(code, 16)))
    : emoji

/** Returns the page with an id in a tree of pages. */
export const findPage = (pages: ReadonlyArray<PageNode>, id: string): PageNode | undefined => {
  for (const page of pages) {
    const found = page.id === id ? page : findPage(page.pages ?? [], id)
    if (found !== undefined) return found
  }
  return undefined
}
