/** The targets of links that match a query: pages, sections of pages, and files. */
import type { LinkSuggestion } from "../EditorBackend.ts"
import type { ContentRef } from "../model.ts"
import type { ClientBackendOptions } from "./ClientBackend.ts"
import { emojiOf, type PageNode } from "./pageNodes.ts"

const mostSuggestions = 10
const mostFiles = 1_000
const filesMs = 30_000

interface NamedFile {
  readonly id: string
  readonly name: string
}

/** A page with the titles of the pages above it. */
interface FoundPage {
  readonly page: PageNode
  readonly above: ReadonlyArray<string>
}

const findPages = (pages: ReadonlyArray<PageNode>, query: string): ReadonlyArray<FoundPage> => {
  const found: Array<FoundPage> = []
  const visit = (nodes: ReadonlyArray<PageNode>, above: ReadonlyArray<string>): void => {
    for (const page of nodes) {
      if (found.length >= mostSuggestions) return
      if (query === "" || page.title.toLowerCase().includes(query)) found.push({ page, above })
      visit(page.pages ?? [], [...above, page.title])
    }
  }
  visit(pages, [])
  return found
}

const suggestPage = ({ page, above }: FoundPage): LinkSuggestion => {
  const emoji = emojiOf(page.emoji)
  return {
    ref: { kind: "page", page: page.id } as ContentRef,
    title: page.title,
    ...(above.length === 0 ? {} : { detail: above.join(" › ") }),
    ...(emoji === undefined ? {} : { emoji })
  }
}

/** Searches the targets of links of a page. The list of files is cached for 30 seconds. */
export class LinkTargets {
  private readonly options: ClientBackendOptions
  private readonly pages: () => Promise<ReadonlyArray<PageNode>>
  private known: { readonly at: number; readonly files: Promise<ReadonlyArray<NamedFile>> } | undefined

  constructor(options: ClientBackendOptions, pages: () => Promise<ReadonlyArray<PageNode>>) {
    this.options = options
    this.pages = pages
  }

  /** Returns at most 10 targets. `page#section` finds the sections of a page, and `#section` the sections of the edited page. */
  async search(text: string, signal: AbortSignal): Promise<ReadonlyArray<LinkSuggestion>> {
    const query = text.trim().toLowerCase()
    const at = query.indexOf("#")
    if (at >= 0) return this.findSections(query.slice(0, at).trim(), query.slice(at + 1).trim(), signal)
    const pages = findPages(await this.pages(), query).map(suggestPage)
    if (query === "" || pages.length === mostSuggestions) return pages
    const files = (await this.files()).filter(({ name }) => name.toLowerCase().includes(query))
    const suggested = files.map(({ id, name }) => ({
      ref: { kind: "file", file: id } as ContentRef,
      title: name
    }))
    return [...pages, ...suggested].slice(0, mostSuggestions)
  }

  private async findSections(
    pageQuery: string,
    query: string,
    signal: AbortSignal
  ): Promise<ReadonlyArray<LinkSuggestion>> {
    const { page: own } = this.options
    const [found] = pageQuery === "" ? [] : findPages(await this.pages(), pageQuery)
    if (pageQuery !== "" && found === undefined) return []
    const id = found?.page.id ?? own
    const [{ outlineOf }, markdown] = await Promise.all([
      import("@lectern/markdown/outline"),
      this.markdownOf(id, signal)
    ])
    return outlineOf(markdown)
      .sections.filter(
        ({ anchor, title, isCode }) => anchor !== "" && isCode !== true && title.toLowerCase().includes(query)
      )
      .slice(0, mostSuggestions)
      .map(({ anchor, title }) => ({
        ref: { kind: "anchor", anchor, ...(id === own ? {} : { page: id }) } as ContentRef,
        title,
        ...(found === undefined ? {} : { detail: found.page.title })
      }))
  }

  private async markdownOf(pageId: string, signal: AbortSignal): Promise<string> {
    const { client, space, changeRequest } = this.options
    const query = { format: "markdown" as const }
    const found =
      changeRequest === undefined
        ? await client.content.getPageById({ params: { spaceId: space, pageId }, query }, { signal })
        : await client.changeRequestContent.getPageInChangeRequestById(
            { params: { spaceId: space, changeRequestId: changeRequest, pageId }, query },
            { signal }
          )
    return (found as { readonly markdown?: string }).markdown ?? ""
  }

  private files(): Promise<ReadonlyArray<NamedFile>> {
    const now = performance.now()
    if (this.known !== undefined && now - this.known.at < filesMs) return this.known.files
    const { client, space, changeRequest } = this.options
    const query = { limit: mostFiles, metadata: false }
    const request =
      changeRequest === undefined
        ? client.content.listFiles({ params: { spaceId: space }, query })
        : client.changeRequestContent.listFilesInChangeRequestById({
            params: { spaceId: space, changeRequestId: changeRequest },
            query
          })
    const files = request.then(({ items }) => items)
    this.known = { at: now, files }
    files.catch(() => {
      this.known = undefined
    })
    return files
  }
}
