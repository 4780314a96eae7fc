/** The messages between the page and the worker that loads OpenAPI documents. */
import type { ApiNames, ApiRequest, ApiTree, Loaded } from "@lectern/editor/api"

/** The display of a part that the page requests, or the names in a document. */
export type ApiQuery =
  | ({ readonly kind: "display" } & Omit<ApiRequest, "source">)
  | { readonly kind: "names" }

/** A query with the document that it is about. */
export interface ApiTask {
  readonly id: number
  readonly query: ApiQuery
  /** The URL of the document, or of the content of a specification. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the URL is that of the content of a specification, which names its files. */
  readonly isSpec: boolean
}

/** The results of the queries. A part that the document does not have is `undefined`. */
export interface ApiResults {
  readonly display: ReadonlyArray<ApiTree> | undefined
  readonly names: ApiNames
}

/** The response of the worker. */
export interface ApiResponse {
  readonly id: number
  readonly loaded: Loaded<ApiResults[ApiQuery["kind"]]>
}
