/** Errors about hidden resources, and limits of guests without access. */
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

const start = async () => {
  const server = await startServerOn(memory)
  const { core } = server
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", ada)
  const guest = await core.createUser("guest@example.com")
  await core.setMember(organization, guest, null)
  const tokens = { ada: await server.tokenOf(ada), guest: await server.tokenOf(guest) }
  const send = async (as: keyof typeof tokens, method: string, path: string, body?: object) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token: tokens[as],
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
  const space = (await send("ada", "POST", `/orgs/${organization}/spaces`, { title: "Docs" })).body
    .id as string
  return { organization, guest, space, send }
}

const upload = { kind: "import_file", file: { name: "a.md", type: "text/markdown", size: 3 } }

describe("a guest", () => {
  it("without access to any content receives no upload URL", async () => {
    const { organization, guest, space, send } = await start()
    const path = `/orgs/${organization}/storage/upload`
    expect(await send("guest", "POST", path, upload)).toMatchObject({
      status: 403,
      body: { error: { reason: "RoleTooLow" } }
    })
    const granted = await send("ada", "POST", `/spaces/${space}/permissions`, {
      users: [guest],
      role: "edit"
    })
    expect(granted.status).toBeLessThan(300)
    expect((await send("guest", "POST", path, upload)).status).toBeLessThan(300)
  })

  it("cannot distinguish an import run of a hidden space from one that does not exist", async () => {
    const { organization, space, send } = await start()
    const path = `/org/${organization}/imports`
    const source = { type: "zip", url: "https://example.com/docs.zip" }
    const { body: run } = await send("ada", "POST", path, { source, target: { space } })
    const hidden = run.id as string
    const unknown = hidden.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    for (const [method, suffix] of [
      ["GET", ""],
      ["POST", "/cancel"]
    ] as const) {
      const one = await send("guest", method, `${path}/${hidden}${suffix}`)
      const other = await send("guest", method, `${path}/${unknown}${suffix}`)
      expect([one.status, one]).toEqual([404, other])
    }
    expect((await send("ada", "GET", `${path}/${hidden}`)).status).toBe(200)
  })
})
