/** The backend of the editor for a reusable content, which saves it if no other person has changed it. */
import { ApiError, type JSONDocumentEncoded } from "@lectern/client/fetch"
import type { EditorBackend, SaveResult, VersionedDocument } from "@lectern/editor"
import { editIfCurrent } from "../../data/conditionalEdits.ts"
import type { Place } from "../../data/content.ts"
import { loadReusable, loadReusableDocument } from "../../data/reusable.ts"
import { client, sessionStore } from "../../session.ts"

/** The members of a backend that depend on the space only: files, links, people. */
type Shared = Pick<EditorBackend, "upload" | "searchPages" | "searchPeople" | "resolve">

type EditedDocument = VersionedDocument["document"]

const asDocument = (document: JSONDocumentEncoded): EditedDocument => document as unknown as EditedDocument

/** Options of {@link makeReusableBackend}. */
export interface ReusableBackendOptions {
  readonly place: Place
  readonly id: string
  /** The backend of a page of the same place. */
  readonly shared: EditorBackend
  /** Where the text is saved, in words. */
  readonly placeName: string
  /** Converts an error to one that the editor understands. */
  readonly toFailure: (error: unknown) => unknown
}

/** A draft is restored only for the user who wrote it. */
const userId = (): string => {
  const session = sessionStore.get()
  return session.state === "signed-in" ? session.user.id : ""
}

const sharedOf = (shared: EditorBackend): Shared => {
  const { upload, searchPages, searchPeople, resolve } = shared
  return {
    ...(upload === undefined ? {} : { upload: upload.bind(shared) }),
    ...(searchPages === undefined ? {} : { searchPages: searchPages.bind(shared) }),
    ...(searchPeople === undefined ? {} : { searchPeople: searchPeople.bind(shared) }),
    ...(resolve === undefined ? {} : { resolve: resolve.bind(shared) })
  }
}

/** Creates the backend of a reusable content. Its version is the id of its document. */
export const makeReusableBackend = ({
  place,
  id,
  shared,
  placeName,
  toFailure
}: ReusableBackendOptions): EditorBackend => {
  const versionOf = async (): Promise<string> => (await loadReusable(place, id)).document ?? ""
  const load = async (signal: AbortSignal): Promise<VersionedDocument> => {
    // The version is read first: a change after it is found by the save.
    const version = (await loadReusable(place, id, signal)).document ?? ""
    return { document: asDocument(await loadReusableDocument(place, id, signal)), version }
  }
  const attempt = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      throw error instanceof ApiError ? toFailure(error) : error
    }
  }
  return {
    ...sharedOf(shared),
    name: `${place.spaceId}/${place.change ?? "primary"}/reusable/${id}/${userId()}`,
    place: placeName,
    load: (signal) => attempt(() => load(signal)),
    save: ({ document, version, signal }) =>
      attempt(async (): Promise<SaveResult> => {
        const edited = await editIfCurrent({
          place,
          changes: [
            {
              operation: "update_reusable_content",
              reusableContent: id,
              document: { document: document as unknown as JSONDocumentEncoded }
            }
          ],
          isCurrent: async () => (await versionOf()) === version
        })
        if (edited === undefined) return { _tag: "Changed", current: await load(signal) }
        const saved = await client.revisions.getReusableContentInRevisionById({
          params: { spaceId: place.spaceId, revisionId: edited.revision, reusableContentId: id }
        })
        return { _tag: "Saved", version: saved.document ?? "" }
      })
  }
}
