/** The settings of uploads and of the hosts of links, as environment variables of the command. */
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { adminToken, call, serve } from "./processes.ts"

/** Starts a server with these variables, and returns the path of the content of a space. */
const startSpace = async (env: Record<string, string>) => {
  const server = await serve("sqlite::memory:", [], {}, env)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const { id } = await call<{ id: string }>(server, `/v1/orgs/${items[0]!.id}/spaces`, {
    method: "POST",
    body: "{}"
  })
  return { server, space: `/v1/spaces/${id}`, content: `/v1/spaces/${id}/content` }
}

const authorization = `Bearer ${adminToken}`

describe("an environment variable", () => {
  it("LECTERN_UPLOAD_LIMIT limits the size of uploads in MiB", async () => {
    const { server, content } = await startSpace({ LECTERN_UPLOAD_LIMIT: "1.5" })
    const upload = async (megabytes: number) => {
      const form = new FormData()
      form.append("files", new Blob([new Uint8Array(megabytes * 1024 * 1024)]), "a.bin")
      const response = await fetch(server.url + content, {
        method: "POST",
        headers: { authorization },
        body: form
      })
      return response.status
    }
    expect([await upload(1.4), await upload(1.6)]).toEqual([200, 413])
  })

  it("LECTERN_UPLOAD_TIMEOUT is the deadline of uploads in seconds", async () => {
    const { server, content } = await startSpace({ LECTERN_UPLOAD_TIMEOUT: "0.3" })
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    const head = [
      `POST ${content} HTTP/1.1`,
      "host: x",
      `authorization: ${authorization}`,
      "content-type: multipart/form-data; boundary=b",
      "content-length: 100000"
    ]
    socket.write(`${head.join("\r\n")}\r\n\r\n--b\r\n`)
    const received = await new Promise<string>((resolve, reject) => {
      socket.once("data", (data) => resolve(String(data)))
      socket.once("error", reject)
    })
    expect(received).toMatch(/^HTTP\/1\.1 503 /)
    socket.destroy()
  })

  it("LECTERN_PUBLIC_HOSTS lists the hosts that links can have, if a trusted proxy reports them", async () => {
    const { server, space } = await startSpace({
      LECTERN_PUBLIC_URL: "https://docs.acme.example",
      LECTERN_PUBLIC_HOSTS: "docs.other.example,*.acme.dev",
      LECTERN_TRUSTED_PROXIES: "127.0.0.1"
    })
    const hostOf = async (forwarded: string) => {
      const headers = { authorization, "x-forwarded-host": forwarded, "x-forwarded-proto": "https" }
      const response = await fetch(server.url + space, { headers })
      const { urls } = (await response.json()) as { urls: { location: string } }
      return new URL(urls.location).host
    }
    expect(await hostOf("docs.other.example")).toBe("docs.other.example")
    expect(await hostOf("a.acme.dev")).toBe("a.acme.dev")
    expect(await hostOf("evil.example")).toBe("docs.acme.example")
  })
})
