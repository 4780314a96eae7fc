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
  requires: "uploads",
  run: async ({ ada, bob, acme }) => {
    const organization = { organizationId: acme.id }
    const bytes = new TextEncoder().encode("# Handbook\n\nText.\n")
    const create = (kind: string) =>
      ada.call<Upload>("generateStorageUploadURL", organization, {
        body: { file: { name: "handbook.md", type: "text/markdown", size: bytes.length }, kind }
      })
    const { url, key } = await create("import_file")
    const space = await ada.call<{ id: string }>("createSpace", organization, { body: { title: "Uploaded" } })
    const body = { source: { type: "file", files: [key] }, target: { space: space.id } }
    await ada.expectError(400, "startImportRun", organization, { body })
    expect((await fetch(url, { method: "PUT", body: bytes })).ok).toBe(true)
    const run = await ada.call<{ source: unknown }>("startImportRun", organization, { body })
    expect(run.source).toEqual({ type: "file", files: [key] })

    const font = await create("customization_font")
    await ada.expectError(400, "startImportRun", organization, {
      body: { ...body, source: { type: "file", files: [font.key] } }
    })
    // Keys are of use to their users only.
    await bob.expectError(400, "startImportRun", organization, { body })
  }
}
