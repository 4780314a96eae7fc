/** Serves published sites and previews as web pages, by `@lectern/reader`, which is optional. */
import type { Answers } from "@lectern/answers"
import type {
  Authenticator,
  ChangeRequests,
  Collections,
  Content,
  CustomFonts,
  Integrations,
  MemberVisits,
  OidcLogins,
  OpenApiSpecs,
  Organizations,
  PublishedContent,
  PublishedSearch,
  PublishedSites,
  Records,
  ReferencedSpecs,
  Search,
  SiteEvents,
  SiteRedirects,
  SiteScripts,
  SiteSpaces,
  Sites,
  Spaces,
  StorageUnavailable
} from "@lectern/core"
import { Effect, type Stream } from "effect"
import { type AskSite, makeAskSite } from "../../answers/askSite.ts"
import { toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import type { HelpPage } from "./helpPages.ts"

/** A request for a page. */
export interface PageRequest {
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The path and the query, without the prefix of the API. */
  readonly url: string
  /** Returns the value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The form of a POST request; empty if it is too large or malformed. */
  readonly form: Effect.Effect<URLSearchParams>
  /** Whether the server itself serves the path. A site has a page there only at the root of the host. */
  readonly isServerPath?: boolean
  /** Whether the operator lists the host, at which the server also serves the application and the API. */
  readonly isApplicationHost?: boolean
  /** Answers the questions of the client. Absent without a language model. */
  readonly ask?: AskSite | undefined
}

/** A page, or another file of a site. */
export interface PageResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body, if there is one. */
  readonly body: string | Uint8Array | undefined
  /** The body, if it is sent while it is produced. */
  readonly stream?: Stream.Stream<Uint8Array>
}

/** Serves pages. */
export interface PageReader {
  /** Returns the response, or `undefined` if no page can have the URL. */
  readonly handle: (request: PageRequest) => Effect.Effect<PageResponse | undefined, StorageUnavailable>
  /** Renders a page of the documentation of Lectern, or returns an asset of its pages; `undefined` for an unknown one. */
  readonly help?: (
    request: Pick<PageRequest, "header">,
    target: { readonly page: HelpPage } | { readonly asset: string }
  ) => Effect.Effect<PageResponse | undefined, StorageUnavailable>
}

/** The services that a reader may require. */
export type PageServices =
  | Authenticator
  | ChangeRequests
  | Collections
  | Content
  | CustomFonts
  | Integrations
  | MemberVisits
  | OidcLogins
  | OpenApiSpecs
  | Organizations
  | PublishedContent
  | PublishedSites
  | Records
  | ReferencedSpecs
  | Search
  | SiteEvents
  | SiteRedirects
  | SiteScripts
  | SiteSpaces
  | PublishedSearch
  | Sites
  | Spaces

/** Creates the reader of a workspace: `makeReader` of `@lectern/reader`. */
export type MakePageReader = Effect.Effect<PageReader, never, PageServices>

/** The maximum size of a form, in bytes. */
const formLimit = 64 * 1024

const formOf = (request: ApiRequest): Effect.Effect<URLSearchParams> =>
  Number(request.header("content-length") ?? formLimit + 1) > formLimit
    ? Effect.succeed(new URLSearchParams())
    : request.body.pipe(
        Effect.map((body) => new URLSearchParams(new TextDecoder().decode(body))),
        Effect.catch(() => Effect.succeed(new URLSearchParams()))
      )

/** The host name of a request, as its client sees it. */
export const hostOf = ({ baseUrl, header }: ApiRequest): string | undefined =>
  baseUrl === undefined ? header("host") : new URL(baseUrl).host

const toApiResponse = (response: PageResponse | undefined): ApiResponse | undefined => {
  if (response?.stream === undefined) return response
  const { stream, ...rest } = response
  return { ...rest, body: { stream, length: undefined } }
}

/**
 * Creates the route of pages. It returns `undefined` for URLs that no page can have. `isServerPath` states whether the server itself
 * serves the path of a request: only a site at the root of a host replaces such a page.
 */
export const makePageRoute =
  (
    reader: PageReader | undefined,
    answers: Answers | undefined,
    isServerPath: (request: ApiRequest) => boolean = () => false
  ) =>
  (request: ApiRequest): Effect.Effect<ApiResponse | undefined> =>
    reader === undefined
      ? Effect.succeed(undefined)
      : Effect.catch(
          Effect.map(
            reader.handle({
              method: request.method,
              url: request.url,
              header: (name) => (name === "host" ? hostOf(request) : request.header(name)),
              form: formOf(request),
              isServerPath: isServerPath(request),
              isApplicationHost: request.baseUrl !== undefined,
              ask: answers === undefined ? undefined : makeAskSite(answers, request)
            }),
            toApiResponse
          ),
          (error) => Effect.succeed(toResponse(error))
        )
