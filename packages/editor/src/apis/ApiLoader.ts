/** The interface to what loads OpenAPI documents, in the page or in a worker. */
import type { ApiMessages } from "@lectern/markdown/openapi"
import type { ApiPart } from "../apiPart.ts"
import type { Loaded } from "../Loaded.ts"
import type { ApiNames } from "./apiNames.ts"
import type { ApiTree } from "./apiTree.ts"

/** A part of an API to load. */
export interface ApiRequest {
  /** The slug of a spec, a URL, or `/files/` and the id of a file. */
  readonly source: string
  /** The part of the document to display. */
  readonly part: ApiPart
  /** The words of the display. */
  readonly messages: ApiMessages
  /** Whether the document is requested again. */
  readonly isRetry: boolean
}

/** Loads OpenAPI documents, and creates what blocks and their settings display of them. */
export interface ApiLoader {
  /** Loads the display of a part, which `renderApiTree` of `@lectern/editor/api-tree` creates; `undefined` if the document does not have it. */
  readonly display: (request: ApiRequest) => Promise<Loaded<ReadonlyArray<ApiTree> | undefined>>
  /** Loads the names that the settings of blocks offer, which `namesOf` of `@lectern/editor/api-tree` returns. */
  readonly names: (source: string) => Promise<Loaded<ApiNames>>
}
