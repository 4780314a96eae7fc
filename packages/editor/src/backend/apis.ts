/** The OpenAPI documents and the integrations that blocks of a page display. */
import type { Integration } from "@lectern/client/fetch"
import type { ApiDocument, EditorBackend, IntegrationDescription } from "../EditorBackend.ts"
import { parseDocument } from "../parseDocument.ts"
import type { ClientBackendOptions } from "./ClientBackend.ts"
import { failureOf } from "./failures.ts"
import { getFile } from "./files.ts"

/** The maximum number of specs and integrations that are offered, and that a URL is compared with. */
const mostOffered = 200

/** The maximum size of a file that the browser parses, in bytes. */
const mostFileBytes = 2_000_000

const fileReference = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

const readFile = async (
  options: ClientBackendOptions,
  fileId: string,
  signal: AbortSignal
): Promise<ApiDocument | undefined> => {
  const { downloadURL, size } = await getFile(options, fileId, { signal })
  if (size > mostFileBytes) return undefined
  const response = await fetch(downloadURL, { signal })
  if (!response.ok) throw await failureOf(response)
  const document = await parseDocument(await response.text())
  return document === undefined ? undefined : { document }
}

const readSpec = async (
  { client, organization }: ClientBackendOptions,
  specSlug: string,
  signal: AbortSignal
): Promise<ApiDocument> => {
  const params = { organizationId: organization, specSlug }
  const { filesystem } = await client.openApiSpecs.getLatestOpenAPISpecVersionContent({ params }, { signal })
  const { bundleDocuments } = await import("@lectern/markdown/openapi")
  return { document: bundleDocuments(new Map(Object.entries(filesystem))) }
}

const describe = ({ name, title, urls, blocks = [] }: Integration): IntegrationDescription => ({
  name,
  title,
  ...(urls.icon === undefined ? {} : { icon: urls.icon }),
  blocks: blocks.map(({ id, title: blockTitle }) => ({ id, title: blockTitle }))
})

/** Returns `undefined` if something does not exist, is not visible, or has an invalid name. */
const orUndefined = async <A>(load: () => Promise<A | undefined>): Promise<A | undefined> => {
  try {
    return await load()
  } catch (error) {
    const failure = await failureOf(error)
    if (["not-found", "forbidden", "rejected"].includes(failure.reason)) return undefined
    throw failure
  }
}

type Apis = Required<Pick<EditorBackend, "loadApi" | "listApis" | "findIntegration" | "listIntegrations">>

/** Creates the loaders of OpenAPI documents and integrations. */
export const makeApis = (options: ClientBackendOptions): Apis => {
  const { client, organization, space } = options
  const listSpecs = async (signal: AbortSignal) => {
    const request = { params: { organizationId: organization }, query: { limit: mostOffered } }
    return (await client.openApiSpecs.listOpenAPISpecs(request, { signal })).items
  }
  const slugOf = async (source: string, signal: AbortSignal): Promise<string | undefined> =>
    /^https?:\/\//.test(source)
      ? (await listSpecs(signal)).find(({ sourceURL }) => sourceURL === source)?.slug
      : source
  return {
    loadApi: (source, signal) =>
      orUndefined(async () => {
        const file = fileReference.exec(source)?.[1]
        if (file !== undefined) return readFile(options, file, signal)
        const slug = await slugOf(source, signal)
        return slug === undefined ? undefined : readSpec(options, slug, signal)
      }),
    listApis: async (signal) => (await listSpecs(signal)).map(({ slug }) => slug),
    findIntegration: (integrationName, signal) =>
      orUndefined(async () =>
        describe(await client.integrations.getIntegrationByName({ params: { integrationName } }, { signal }))
      ),
    listIntegrations: async (signal) => {
      const request = { params: { spaceId: space }, query: { limit: mostOffered } }
      const { items } = await client.installedIntegrations.listSpaceIntegrations(request, { signal })
      return items.map(describe)
    }
  }
}
