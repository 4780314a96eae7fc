/** The backend of a page of Lectern, over its API. */
import type { CallOptions, FetchClient, UploadProgress } from "@lectern/client/fetch"
import {
  BackendFailure,
  type CommentsBackend,
  type EditMode,
  type EditorBackend,
  type LinkSuggestion,
  type PersonSuggestion,
  type PresenceBackend,
  type ResolvedReference,
  type SaveRequest,
  type SaveResult,
  type UploadedFile,
  type UploadOptions,
  type VersionedDocument
} from "../EditorBackend.ts"
import { type ContentRef, type Document, emptyDocument } from "../model.ts"
import { makeApis } from "./apis.ts"
import { makeComments } from "./comments.ts"
import { failureOf, failureOfSave } from "./failures.ts"
import { getFile } from "./files.ts"
import { LinkTargets } from "./linkTargets.ts"
import { emojiOf, findPage, type PageNode } from "./pageNodes.ts"
import { makePresence } from "./presence.ts"
import { resolveReusable } from "./reusableContents.ts"

/** The response of an edit of a change request with `compat: false`. */
interface EditedChangeRequest {
  readonly changeRequest: { readonly revision: string }
}

/** Options of {@link ClientBackend}. */
export interface ClientBackendOptions {
  /** The client, which `createClient` of `@lectern/client/fetch` creates. */
  readonly client: FetchClient
  /**
   * Sends a request without a body to a path of the API, such as `/spaces/s/content`, with the credentials of the client: the
   * request of the entity tag of the content, without the content.
   */
  readonly head: (path: string, signal: AbortSignal) => Promise<Response>
  /** The id of the organization. */
  readonly organization: string
  /** The id of the space. */
  readonly space: string
  /** The id of the page. */
  readonly page: string
  /** The id or the number of the change request. Absent to edit the primary content. */
  readonly changeRequest?: string
  /** Where the text is saved, in words for the status. */
  readonly place?: string
  /** The id of the user. With it, a draft in the browser is restored only for the user who wrote it. */
  readonly user?: string
}

/** A version: the entity tag of the content and the id of the body of the page, separated by a space. */
const versionOf = (etag: string, documentId: string | undefined): string => `${etag} ${documentId ?? ""}`

const partsOf = (version: string): { readonly etag: string; readonly documentId: string } => {
  const at = version.lastIndexOf(" ")
  return { etag: version.slice(0, at), documentId: version.slice(at + 1) }
}

interface LoadedPage {
  readonly documentId?: string
  readonly document?: Document
}

interface InsertedFile {
  readonly id: string
  readonly name: string
  readonly downloadURL: string
}

const mostSuggestions = 10
/** Other pages can be saved between the request of the entity tag and the save, so that it is repeated. */
const mostAttempts = 4
const pagesMs = 30_000

/** The backend of a page of Lectern. */
export class ClientBackend implements EditorBackend {
  /** The ids of the organization, the space, the change request, the page and the user, separated by slashes. */
  readonly name: string
  /** Where the text is saved, in words for the status. */
  readonly place?: string
  /** The comments on the page. */
  readonly comments: CommentsBackend
  /** Who else has the page open. */
  readonly presence: PresenceBackend
  /** Returns the document of the page in the base of the change request. Absent for the primary content. */
  readonly loadBase?: (signal: AbortSignal) => Promise<Document>
  /** Loads the OpenAPI document of a block. */
  readonly loadApi: NonNullable<EditorBackend["loadApi"]>
  /** Returns the slugs of at most 200 specs of the organization. */
  readonly listApis: NonNullable<EditorBackend["listApis"]>
  /** Returns the integration with a name. */
  readonly findIntegration: NonNullable<EditorBackend["findIntegration"]>
  /** Returns at most 200 integrations that are installed on the space or for all spaces of the organization. */
  readonly listIntegrations: NonNullable<EditorBackend["listIntegrations"]>
  private readonly options: ClientBackendOptions
  private readonly targets: LinkTargets
  private known: { readonly at: number; readonly pages: Promise<ReadonlyArray<PageNode>> } | undefined

  constructor(options: ClientBackendOptions) {
    this.options = options
    this.targets = new LinkTargets(options, () => this.pages())
    const { organization, space, changeRequest, page, user } = options
    const ids = [organization, space, changeRequest ?? "primary", page]
    this.name = [...ids, ...(user === undefined ? [] : [user])].join("/")
    this.comments = makeComments(options)
    this.presence = makePresence(options)
    const apis = makeApis(options)
    this.loadApi = apis.loadApi
    this.listApis = apis.listApis
    this.findIntegration = apis.findIntegration
    this.listIntegrations = apis.listIntegrations
    if (changeRequest !== undefined) this.loadBase = (signal) => this.loadBaseOf(changeRequest, signal)
    if (options.place !== undefined) this.place = options.place
  }

  /** The path of the content. */
  private get path(): string {
    const { space, changeRequest } = this.options
    const base = `/spaces/${encodeURIComponent(space)}`
    return changeRequest === undefined
      ? `${base}/content`
      : `${base}/change-requests/${encodeURIComponent(changeRequest)}/content`
  }

  /** Returns the entity tag of the content, without the content. */
  private async etag(signal: AbortSignal): Promise<string> {
    const response = await this.options.head(this.path, signal)
    const etag = response.headers.get("etag")
    if (!response.ok || etag === null) throw await failureOf(response)
    return etag
  }

  private async getPage(format: "document" | undefined, signal: AbortSignal): Promise<LoadedPage> {
    const { client, page, changeRequest, space } = this.options
    const query = format === undefined ? {} : { format }
    const found =
      changeRequest === undefined
        ? await client.content.getPageById({ params: { spaceId: space, pageId: page }, query }, { signal })
        : await client.changeRequestContent.getPageInChangeRequestById(
            { params: { spaceId: space, changeRequestId: changeRequest, pageId: page }, query },
            { signal }
          )
    return found as LoadedPage
  }

  /** Loads the document of the page. Its version contains the entity tag of the content. */
  async load(signal: AbortSignal): Promise<VersionedDocument> {
    try {
      // The entity tag is that of the content before the page is read, so that a change in between is found by the save.
      const etag = await this.etag(signal)
      const { documentId, document } = await this.getPage("document", signal)
      return { document: document ?? emptyDocument, version: versionOf(etag, documentId) }
    } catch (error) {
      throw await failureOf(error)
    }
  }

  /**
   * Returns `draft` for an open change request, `live` for the content of a space whose mode permits live edits, and otherwise
   * `locked`, also for users who may not edit it.
   */
  async editMode(signal: AbortSignal): Promise<EditMode> {
    const { client, space, changeRequest } = this.options
    try {
      if (changeRequest !== undefined) {
        const params = { spaceId: space, changeRequestId: changeRequest }
        const { status } = await client.changeRequests.getChangeRequestById({ params }, { signal })
        return status === "draft" || status === "open" ? "draft" : "locked"
      }
      const found = await client.spaces.getSpaceById({ params: { spaceId: space } }, { signal })
      return found.permissions.edit && found.editMode !== "locked" ? "live" : "locked"
    } catch (error) {
      throw await failureOf(error)
    }
  }

  /** Returns the document of the page in the revision that the change request is based on. */
  private async loadBaseOf(changeRequest: string, signal: AbortSignal): Promise<Document> {
    const { client, space, page } = this.options
    try {
      const request = await client.changeRequests.getChangeRequestById(
        { params: { spaceId: space, changeRequestId: changeRequest } },
        { signal }
      )
      const revisionId = request.revisionMergedAncestor ?? request.revisionInitial
      const found = (await client.revisions.getPageInRevisionById(
        { params: { spaceId: space, revisionId, pageId: page }, query: { format: "document" } },
        { signal }
      )) as LoadedPage
      return found.document ?? emptyDocument
    } catch (error) {
      const failure = await failureOf(error)
      if (failure.reason === "not-found") return emptyDocument
      throw failure
    }
  }

  /** Saves the document if the page has not changed since its version. Repeats the save if only other pages changed. */
  async save({ document, version, signal }: SaveRequest): Promise<SaveResult> {
    const { documentId } = partsOf(version)
    let { etag } = partsOf(version)
    try {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        const revision = await this.update(document, etag, signal)
        if (revision !== undefined)
          return { _tag: "Saved", version: await this.savedVersion(revision, signal) }
        const current = await this.load(signal)
        if (partsOf(current.version).documentId !== documentId) return { _tag: "Changed", current }
        // Another page of the content changed.
        etag = partsOf(current.version).etag
      }
    } catch (error) {
      throw await failureOfSave(error)
    }
    throw new BackendFailure("unavailable", "The content changes faster than the page can be saved.")
  }

  /** Saves the document. Returns the revision, or `undefined` if the content has another entity tag. */
  private async update(document: Document, etag: string, signal: AbortSignal): Promise<string | undefined> {
    const { client, page, space, changeRequest } = this.options
    const payload = {
      changes: [{ operation: "update_page" as const, page, document: { document } }],
      automatic: true
    }
    try {
      if (changeRequest === undefined) {
        const { revision } = await client.content.updateSpaceContent(
          { params: { spaceId: space }, payload },
          { ifMatch: etag, signal }
        )
        return revision
      }
      const result = await client.changeRequestContent.updateChangeRequestContent(
        { params: { spaceId: space, changeRequestId: changeRequest }, query: { compat: false }, payload },
        { ifMatch: etag, signal }
      )
      const { changeRequest: edited } = result as EditedChangeRequest
      return edited.revision
    } catch (error) {
      if ((error as { readonly _tag?: string })._tag === "PreconditionFailed") return undefined
      throw error
    }
  }

  /**
   * Returns the version after a save. If another user saved the page right after it, the version is the one of the save, which is
   * no longer current, so that the next save finds the change.
   */
  private async savedVersion(revision: string, signal: AbortSignal): Promise<string> {
    const { client, space, page } = this.options
    const etag = await this.etag(signal)
    const saved = (await client.revisions.getPageInRevisionById(
      { params: { spaceId: space, revisionId: revision, pageId: page } },
      { signal }
    )) as LoadedPage
    const current = await this.getPage(undefined, signal)
    return versionOf(current.documentId === saved.documentId ? etag : '"changed"', saved.documentId)
  }

  /** Uploads a file to the space or the change request. */
  async upload(file: File, { signal, onProgress }: UploadOptions): Promise<UploadedFile> {
    const payload = new FormData()
    payload.append("file", file, file.name)
    const options = {
      signal,
      onUploadProgress: ({ sentBytes, totalBytes }: UploadProgress) =>
        onProgress(totalBytes === 0 ? 1 : sentBytes / totalBytes)
    }
    try {
      const [inserted] = await this.insertFiles(payload, options)
      if (inserted === undefined) throw new BackendFailure("rejected", "The server did not return the file.")
      return { ref: { kind: "file", file: inserted.id }, name: inserted.name, url: inserted.downloadURL }
    } catch (error) {
      throw await failureOf(error)
    }
  }

  private async insertFiles(payload: FormData, options: CallOptions): Promise<ReadonlyArray<InsertedFile>> {
    const { client, space, changeRequest } = this.options
    const result: { readonly insertedFiles?: ReadonlyArray<InsertedFile> } =
      changeRequest === undefined
        ? await client.content.updateSpaceContent({ params: { spaceId: space }, payload }, options)
        : ((await client.changeRequestContent.updateChangeRequestContent(
            { params: { spaceId: space, changeRequestId: changeRequest }, query: { compat: false }, payload },
            options
          )) as object)
    return result.insertedFiles ?? []
  }

  /** Returns the pages of the content, which are requested at most every 30 seconds. */
  private pages(): Promise<ReadonlyArray<PageNode>> {
    const now = performance.now()
    if (this.known !== undefined && now - this.known.at < pagesMs) return this.known.pages
    const { client, changeRequest, space } = this.options
    const request =
      changeRequest === undefined
        ? client.content.listPages({ params: { spaceId: space } })
        : client.changeRequestContent.listPagesInChangeRequest({
            params: { spaceId: space, changeRequestId: changeRequest }
          })
    const pages = request.then((result) => result.pages as unknown as ReadonlyArray<PageNode>)
    this.known = { at: now, pages }
    pages.catch(() => {
      this.known = undefined
    })
    return pages
  }

  /** Returns at most 10 pages, sections after a `#`, and files whose titles contain the query. */
  searchPages(query: string, signal: AbortSignal): Promise<ReadonlyArray<LinkSuggestion>> {
    return this.targets.search(query, signal)
  }

  /** Returns at most 10 members of the organization that match the query. */
  async searchPeople(query: string, signal: AbortSignal): Promise<ReadonlyArray<PersonSuggestion>> {
    const { client, organization } = this.options
    const { items } = await client.members.listMembersInOrganizationById(
      { params: { organizationId: organization }, query: { search: query, limit: mostSuggestions } },
      { signal }
    )
    return items.map(({ user }) => ({ id: user.id, name: user.displayName, detail: user.email ?? "" }))
  }

  /** Returns at most 10 reusable contents of the space whose titles contain the query. */
  async searchReusableContents(query: string, signal: AbortSignal) {
    const { client, space } = this.options
    const { reusableContents } = await client.content.getCurrentRevision(
      { params: { spaceId: space } },
      { signal }
    )
    return reusableContents
      .filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
      .slice(0, mostSuggestions)
      .map(({ id, title }) => ({ id, title }))
  }

  /** Returns the title and the URLs of a reference; `undefined` if the page does not exist. */
  async resolve(
    ref: ContentRef | { readonly kind: "reusable-content"; readonly reusableContent: string }
  ): Promise<ResolvedReference | undefined> {
    const { client, organization } = this.options
    switch (ref.kind) {
      case "page":
      case "anchor": {
        const page = ref.page === undefined ? undefined : findPage(await this.pages(), ref.page)
        if (ref.kind === "anchor" && page === undefined) return { title: `#${ref.anchor}` }
        if (page === undefined) return undefined
        const emoji = emojiOf(page.emoji)
        return {
          title: ref.kind === "anchor" ? `${page.title} #${ref.anchor}` : page.title,
          ...(page.urls === undefined ? {} : { href: page.urls.app }),
          ...(emoji === undefined ? {} : { emoji }),
          ...(page.description === undefined ? {} : { detail: page.description })
        }
      }
      case "file": {
        const file = await getFile(this.options, ref.file)
        return { title: file.name, href: file.downloadURL, source: file.downloadURL, bytes: file.size }
      }
      case "user": {
        const { user } = await client.members.getMemberInOrganizationById({
          params: { organizationId: organization, userId: ref.user }
        })
        return { title: user.displayName }
      }
      case "space":
        return { title: (await client.spaces.getSpaceById({ params: { spaceId: ref.space } })).title }
      case "reusable-content":
        return resolveReusable(this.options, ref.reusableContent)
      case "url":
        return { title: ref.url }
      default:
        return undefined
    }
  }
}
