/** The displays of APIs in an editor, from the worker that creates them for reading, too. */
import type { ApiLoader } from "@lectern/editor/api"
import type { Place } from "../data/content.ts"
import { loadFileUrl } from "../data/files.ts"
import { holdWorker, makeApiLoader } from "./apiLoader.ts"

/** The loader of an editor. */
export interface EditorApis {
  readonly apis: ApiLoader
  /** Notes that the editor is closed. */
  readonly release: () => void
}

/** Creates the loader of an editor that edits the content of a place. */
export const startEditorApis = (organizationId: string, place: Place): EditorApis => ({
  apis: makeApiLoader({ organizationId, urlOfFile: (fileId) => loadFileUrl(place, fileId) }),
  release: holdWorker()
})
