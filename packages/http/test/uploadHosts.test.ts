/** Uploads of files, on every way of serving the API. */
import { randomBytes } from "node:crypto"
import type { EditedContent } from "@lectern/core"
import { expect, it } from "vitest"
import { createEmbedded } from "./support/embedded.ts"
import { hosts } from "./support/hosts.ts"

const { workspace, administrator, organization, authorization } = await createEmbedded("http://host")
const space = await workspace.as(administrator).spaces.create({ organization, input: { title: "Files" } })
const path = `/v1/spaces/${space.id}/content`
const megabyte = 1024 * 1024

for (const { name, start } of hosts) {
  it(`stores files that are larger than the limit of JSON bodies, and rejects larger ones, on ${name}`, async () => {
    const send = await start(workspace, { bodyLimit: megabyte, uploadLimit: 4 * megabyte })
    const upload = (bytes: Uint8Array) => {
      const form = new FormData()
      form.append("files", new Blob([bytes as BlobPart]), "large.bin")
      form.append("files", new Blob(["small"], { type: "text/plain" }), "small.txt")
      form.append("message", "Two files")
      return send(path, { method: "POST", headers: { authorization }, body: form })
    }
    const bytes = randomBytes(3 * megabyte + 1)
    const response = await upload(bytes)
    expect(response.status).toBe(200)
    const { insertedFiles } = (await response.json()) as EditedContent
    const [large, small] = insertedFiles!.map(({ downloadURL }) => downloadURL.replace("http://host", ""))
    const whole = await send(large!)
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const part = await send(large!, { headers: { range: `bytes=${megabyte - 1}-${megabyte}` } })
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(megabyte - 1, megabyte + 1))).toBe(
      true
    )
    expect(await (await send(small!)).text()).toBe("small")

    const rejected = await upload(randomBytes(5 * megabyte))
    expect([rejected.status, await rejected.json()]).toMatchObject([
      413,
      { error: { reason: "BodyTooLarge" } }
    ])
    const body = JSON.stringify({ changes: [], message: "a".repeat(2 * megabyte) })
    const headers = { authorization, "content-type": "application/json" }
    expect((await send(path, { method: "POST", headers, body })).status).toBe(413)
  })
}
