/** The operations on content, declared once for spaces, change requests and revisions. */
import {
  ContentPage,
  File,
  FileId,
  PageId,
  PagePath,
  pageOf,
  ReusableContent,
  ReusableContentId,
  Revision
} from "@lectern/core/model"
import { HttpApiEndpoint } from "effect/http-api"
import { reading } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"
import { options, Pages, pageOptions } from "./contentParameters.ts"

/** How the operations on the content at a path differ from those at other paths. */
interface ContentNames<Where extends string, ListPages extends string, ListFiles extends string> {
  /** The part of the operation ids that names the content, as in `getPage<Where>ById`. */
  readonly where: Where
  /** The operation id of the list of pages, which follows no rule. */
  readonly listPages: ListPages
  /** The operation id of the list of files, which follows no rule. */
  readonly listFiles: ListFiles
  /** What the content belongs to, for titles, as in ` of a revision`. */
  readonly of: string
}

/** Declares the operations that read the content at a path. `params` are the parameters of the path. */
export const contentReads = <
  const Path extends `/${string}`,
  const Params extends PathParams,
  const Where extends string,
  const ListPages extends string,
  const ListFiles extends string
>(
  path: Path,
  params: Params,
  { where, listPages, listFiles, of }: ContentNames<Where, ListPages, ListFiles>
) => ({
  listPages: HttpApiEndpoint.get(listPages, `${path}/pages` as const, {
    params,
    query: options,
    success: Pages,
    error: reading
  }).annotateMerge(describe(`List the pages${of}`, "All pages, as their tree, without their bodies.")),
  listFiles: HttpApiEndpoint.get(listFiles, `${path}/files` as const, {
    params,
    query: { ...page, ...options },
    success: pageOf(File),
    error: reading
  }).annotateMerge(describe(`List the files${of}`, "The files, newest first.")),
  getFile: HttpApiEndpoint.get(`getFile${where}ById` as const, `${path}/files/:fileId` as const, {
    params: { ...params, fileId: FileId },
    query: options,
    success: File,
    error: reading
  }).annotateMerge(
    describe(`Get a file${of}`, "The file, with the address that its bytes are downloaded from.")
  ),
  getPage: HttpApiEndpoint.get(`getPage${where}ById` as const, `${path}/page/:pageId` as const, {
    params: { ...params, pageId: PageId },
    query: pageOptions,
    success: ContentPage,
    error: reading
  }).annotateMerge(describe(`Get a page${of}`, "The page, with its body where a format is asked for.")),
  getPageByPath: HttpApiEndpoint.get(`getPage${where}ByPath` as const, `${path}/path/:pagePath` as const, {
    params: { ...params, pagePath: PagePath },
    query: pageOptions,
    success: ContentPage,
    error: reading
  }).annotateMerge(
    describe(`Get a page${of} by its path`, "The page, with its body where a format is asked for.")
  ),
  getReusableContent: HttpApiEndpoint.get(
    `getReusableContent${where}ById` as const,
    `${path}/reusable-contents/:reusableContentId` as const,
    {
      params: { ...params, reusableContentId: ReusableContentId },
      query: options,
      success: ReusableContent,
      error: reading
    }
  ).annotateMerge(describe(`Get a reusable content${of}`, "The reusable content, which pages include."))
})

/** Declares the operation that reads the content at a path as a whole. */
export const contentRevision = <
  const Id extends string,
  const Path extends `/${string}`,
  const Params extends PathParams
>(
  id: Id,
  path: Path,
  params: Params,
  title: string,
  description: string
) =>
  HttpApiEndpoint.get(id, path, {
    params,
    query: options,
    success: Revision,
    error: reading
  }).annotateMerge(describe(title, description))
