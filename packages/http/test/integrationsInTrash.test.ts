/** Integrations whose owner is in the trash: they are not found or installed, and their tokens end. */
import { buildScene } from "@lectern/harness/operations"
import { expect, it, onTestFinished } from "vitest"
import { startScene } from "./support/startScene.ts"

it("is unknown to organizations that have not installed it, and its tokens end", async () => {
  const host = await startScene()
  onTestFinished(() => host.server.close())
  await buildScene(host)
  const { call, organization, elsewhere } = host
  const send = async (method: string, path: string, body?: unknown, token: string = host.token) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await host.server.fetch(`/v1${path}`, { method, token, ...init })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
  }
  // The second integration is installed in the other organization, and the first is not.
  const manifest = { title: "Trashed", description: "d", visibility: "public", script: "1", organization }
  for (const name of ["trashed-one", "trashed-two"]) {
    const scopes = ["space:content:read", "space:content:write"]
    await call("POST", `/v1/integrations/${name}`, { ...manifest, scopes })
  }
  const installations = "/integrations/trashed-two/installations"
  const installed = await call<{ id: string }>("POST", `/v1${installations}`, { organization: elsewhere })
  const space = await call<{ id: string }>("POST", `/v1/orgs/${elsewhere}/spaces`, { title: "Space" })
  const { body: issued } = await send("POST", `${installations}/${installed.id}/tokens`)
  const write = async (token: string) =>
    (
      await send(
        "POST",
        `/spaces/${space.id}/content`,
        { changes: [{ operation: "insert_page", title: "P", document: { markdown: "a" } }] },
        token
      )
    ).status
  const namesOf = async (path: string) =>
    (await send("GET", path)).body.items.map(({ name }: { name: string }) => name)
  expect(await write(issued.token)).toBe(200)
  expect(await namesOf("/integrations?search=trashed")).toEqual(["trashed-two", "trashed-one"])

  expect((await send("DELETE", `/orgs/${organization}`)).status).toBe(205)
  expect(await namesOf("/integrations?search=trashed")).toEqual([])
  expect(await namesOf(`/orgs/${elsewhere}/integrations?search=trashed`)).toEqual(["trashed-two"])
  expect((await send("GET", "/integrations/trashed-one")).status).toBe(404)
  const install = { organization: elsewhere }
  expect((await send("POST", "/integrations/trashed-one/installations", install)).status).toBe(404)
  expect((await send("POST", installations, install)).status).toBe(404)
  expect((await send("POST", `${installations}/${installed.id}/tokens`)).status).toBe(403)
  expect(await write(issued.token)).toBe(401)

  expect((await send("POST", `/orgs/${organization}/restore`)).status).toBe(205)
  expect(await namesOf("/integrations?search=trashed")).toEqual(["trashed-two", "trashed-one"])
  expect(await write(issued.token)).toBe(401)
  const { body: renewed } = await send("POST", `${installations}/${installed.id}/tokens`)
  expect(await write(renewed.token)).toBe(200)

  // Who has installed it can uninstall it in the meantime.
  await send("DELETE", `/orgs/${organization}`)
  expect((await send("DELETE", `${installations}/${installed.id}`)).status).toBe(205)
  expect((await send("GET", "/integrations/trashed-two")).status).toBe(404)
})
