/** Helpers of the tests of repositories: archives, and exports as maps from paths to bytes. */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import { expect } from "vitest"
import type { startImportWorkspace } from "./imports.ts"
import { serveSite } from "./imports.ts"

/** The files of a repository: Markdown or bytes by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Creates a ZIP archive. */
export const archiveOf = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === "string" ? strToU8(content) : content
      ])
    )
  )

/** Returns files with their bytes as Latin-1, so that differences are readable. */
export const comparable = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, content]) => [
        path,
        strFromU8(typeof content === "string" ? strToU8(content) : content, true)
      ])
  )

type Opened = Awaited<ReturnType<typeof startImportWorkspace>>

/** Creates the functions that import and export repositories in a workspace. */
export const repositoriesOf = async ({ server, call, importContent, organization }: Opened) => {
  const site = await serveSite({})
  const importFiles = async (files: Files, space?: string, name = "repository") => {
    const path = `/${name}.zip`
    site.routes.set(path, { type: "application/zip", body: archiveOf(files) })
    const response = await importContent(
      { url: site.url + path, source: "zip" },
      ...(space === undefined ? [] : [`/spaces/${space}/content`])
    )
    expect([response.status, response.value.error]).toEqual([201, undefined])
    return response.value
  }
  const downloadFiles = async (path: string): Promise<Record<string, Uint8Array>> => {
    const { url } = await call<{ url: string }>("GET", path)
    const { pathname, search } = new URL(url)
    const response = await server.fetch(pathname + search, {})
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"])
    return unzipSync(new Uint8Array(await response.arrayBuffer()))
  }
  const exportFiles = (content: string) => downloadFiles(`${content}/export`)
  const createSpace = async () => (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  return { site, importFiles, exportFiles, downloadFiles, createSpace }
}
