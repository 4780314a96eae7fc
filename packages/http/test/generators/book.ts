/** The book that each generator of documentation builds a website from. */

/** A page of the book, or a section without a page. */
export interface BookPage {
  /** The file name without its extension, and with the folders that contain it. */
  readonly path: string
  readonly title: string
  readonly children: ReadonlyArray<BookPage>
  /** Whether generators that can have sections without a page build none for this section. */
  readonly isSection?: true
}

const page = (path: string, title: string, ...children: ReadonlyArray<BookPage>): BookPage => ({
  path,
  title,
  children
})

/** The title of the book, and of its first page. */
export const bookTitle = "Acme Handbook"

/** The pages of the book. Their order is neither that of their paths nor that of their titles. */
export const bookPages: ReadonlyArray<BookPage> = [
  page("welcome", "Welcome aboard"),
  page(
    "guides/index",
    "Guides",
    page("guides/setup", "Set up the server"),
    page(
      "guides/configure/index",
      "Configure",
      page("guides/configure/storage", "Storage engines"),
      page("guides/configure/access", "Access control")
    ),
    page("guides/a-last-step", "Verify the result")
  ),
  {
    ...page(
      "reference/index",
      "Reference manual",
      page("reference/settings", "Settings"),
      page("reference/commands", "Commands"),
      page("reference/errors", "Error codes")
    ),
    isSection: true
  },
  page("answers", "Frequent answers")
]

/** Returns pages with the pages below them, in the order of the book. */
export const flattenPages = (pages: ReadonlyArray<BookPage>): ReadonlyArray<BookPage> =>
  pages.flatMap((one) => [one, ...flattenPages(one.children)])

/** The page that has tabs. */
export const pageWithTabs = "guides/setup"

/** Returns the sentence that only the body of one page contains. */
export const sentenceOf = ({ title }: BookPage): string => `The sentence of ${title.toLowerCase()} is unique.`
