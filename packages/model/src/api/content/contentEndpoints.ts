/** Declares the operations that read content, for spaces, change requests and revisions. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import {
  ContentPage,
  File,
  FileId,
  PageId,
  PageMetaLinks,
  PagePath,
  pageOf,
  ReusableContent,
  ReusableContentId,
  Revision
} from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"
import { options, Pages, pageOptions } from "./contentParameters.ts"

/** The differences between the operations on content at different paths. */
interface ContentNames<Where extends string, ListPages extends string, ListFiles extends string> {
  /** The part of the operation ids that names the content, as in `getPage<Where>ById`. */
  readonly where: Where
  /** The operation id of the list of pages, which the public contract names irregularly. */
  readonly listPages: ListPages
  /** The operation id of the list of files, which the public contract names irregularly. */
  readonly listFiles: ListFiles
  /** The end of the summaries, such as ` of a revision`. */
  readonly of: string
}

/** Declares the operation that returns the links of a page for search engines. `path` is that of the content. */
export const metaLinksEndpoint = <
  const Id extends string,
  const Path extends `/${string}`,
  Params extends PathParams
>(
  id: Id,
  path: Path,
  params: Params,
  of: string
) =>
  HttpApiEndpoint.get(id, `${path}/page/:pageId/meta-links` as const, {
    params: { ...params, pageId: PageId },
    success: PageMetaLinks,
    error: reading
  }).annotateMerge(
    describe(
      `List the meta links of a page${of}`,
      "Returns the canonical link and the alternates that are set on the page."
    )
  )

/** Declares the operations that read content below a path. `params` has the parameters of the path. */
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
  }).annotateMerge(describe(`List the pages${of}`, "Returns all pages as a tree, without their bodies.")),
  listFiles: HttpApiEndpoint.get(listFiles, `${path}/files` as const, {
    params,
    query: { ...page, ...options },
    success: pageOf(File),
    error: reading
  }).annotateMerge(describe(`List the files${of}`, "Returns the files, newest first.")),
  getFile: HttpApiEndpoint.get(`getFile${where}ById` as const, `${path}/files/:fileId` as const, {
    params: { ...params, fileId: FileId },
    query: options,
    success: File,
    error: reading
  }).annotateMerge(describe(`Get a file${of}`, "Returns the file, with its download URL.")),
  getPage: HttpApiEndpoint.get(`getPage${where}ById` as const, `${path}/page/:pageId` as const, {
    params: { ...params, pageId: PageId },
    query: pageOptions,
    success: ContentPage,
    error: reading
  }).annotateMerge(describe(`Get a page${of}`, "Returns the page, and its body if `format` is set.")),
  getPageByPath: HttpApiEndpoint.get(`getPage${where}ByPath` as const, `${path}/path/:pagePath` as const, {
    params: { ...params, pagePath: PagePath },
    query: pageOptions,
    success: ContentPage,
    error: reading
  }).annotateMerge(
    describe(`Get a page${of} by its path`, "Returns the page, and its body if `format` is set.")
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
  ).annotateMerge(
    describe(
      `Get a reusable content${of}`,
      "Returns the reusable content, a block of content that pages include."
    )
  )
})

/** Declares the operation that returns the revision at a path, with all pages and files. */
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
