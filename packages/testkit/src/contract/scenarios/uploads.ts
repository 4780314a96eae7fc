/** Files that are uploaded to signed URLs. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

/** The result of requesting a URL. */
interface Upload {
  readonly url: string
  readonly key: string
}

export const uploads: ContractScenario = {
  title: "A file is uploaded to a signed URL, and imported",
  requires: ["uploads", "importRuns"],
  run: async ({ ada, bob, acme, client }) => {
    const organization = { organizationId: acme.id }
    const bytes = new TextEncoder().encode("# Handbook\n\nText.\n")
    const create = (kind: string, name = "handbook.md", type = "text/markdown") =>
      ada.call<Upload>("generateStorageUploadURL", organization, {
        body: { file: { name, type, size: bytes.length }, kind }
      })
    // The origin of the public URL can be another one than that at which the tests reach the server.
    const send = ({ url }: Upload) => {
      const { pathname, search } = new URL(url)
      return fetch(`${new URL(client.url).origin}${pathname}${search}`, { method: "PUT", body: bytes })
    }
    const upload = await create("import_file")
    const space = await ada.call<{ id: string }>("createSpace", organization, { body: { title: "Uploaded" } })
    const body = { source: { type: "file", files: [upload.key] }, target: { space: space.id } }
    await ada.expectError(400, "startImportRun", organization, { body })
    const sent = await send(upload)
    expect([sent.status, await sent.text()]).toEqual([204, ""])
    const run = await ada.call<{ source: unknown }>("startImportRun", organization, { body })
    expect(run.source).toEqual(body.source)

    // An archive names the tool that it is an export of.
    const archive = await create("import_file", "export.zip", "application/zip")
    await send(archive)
    const source = { type: "file", files: [archive.key], format: "notion" }
    const named = await ada.call<{ source: unknown }>("startImportRun", organization, {
      body: { ...body, source }
    })
    expect(named.source).toEqual(source)

    const font = await create("customization_font")
    await ada.expectError(400, "startImportRun", organization, {
      body: { ...body, source: { type: "file", files: [font.key] } }
    })
    // Keys are of use to their users only.
    await bob.expectError(400, "startImportRun", organization, { body })
  }
}
