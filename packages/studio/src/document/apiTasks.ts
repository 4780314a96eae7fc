/** The messages between the page and the worker that loads OpenAPI documents. */
import type { ApiRequest, ApiTree, Loaded } from "@lectern/editor/api"

/** The display that the page requests. */
export interface ApiTask extends Omit<ApiRequest, "source"> {
  readonly id: number
  /** The URL of the document, or of the content of a specification. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the URL is that of the content of a specification, which names its files. */
  readonly isSpec: boolean
}

/** A display, or the reason for which it does not exist. */
export type LoadedApi = Loaded<ReadonlyArray<ApiTree> | undefined>

/** The response of the worker. */
export interface ApiResponse {
  readonly id: number
  readonly loaded: LoadedApi
}
