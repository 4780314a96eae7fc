/** `lectern login`, `access-token` and `logout` as processes of their own, against a running server. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { runCommand, serve, spawnCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { openBrowser } from "./support/browser.ts"

it("logs in by a code that a person confirms in a browser, prints access tokens, and logs out", {
  timeout: 600_000
}, async () => {
  const folder = temporaryFolder()
  const env = {
    LECTERN_DATABASE_URL: `sqlite:${join(folder, "lectern.db")}`,
    XDG_CONFIG_HOME: join(folder, "config")
  }
  const server = await serve(env.LECTERN_DATABASE_URL)
  const run = async (...args: ReadonlyArray<string>) => {
    const { code, output, errors } = await runCommand(args, env)
    expect([args, code, errors]).toEqual([args, 0, ""])
    return output.trim()
  }
  const child = spawnCommand(["login", server.url, "--permissions", "organization.view,space.view"], env)
  let printed = ""
  let output = ""
  child.stdout?.on("data", (text) => {
    output += text
  })
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve))
  const userCode = await new Promise<string>((resolve, reject) => {
    child.once("close", () => reject(new Error(`The command ended: ${printed}`)))
    child.stderr?.on("data", (text) => {
      printed += text
      const found = /enter the code (\S+)\./.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  expect(printed).toContain(`Open ${server.url}/~/device in a browser`)
  const browser = openBrowser(server)
  const [, link = ""] = /Sign in as \S+ in a browser[^\n]*\n\n\s+(\S+)/.exec(server.printed()) ?? []
  expect((await browser.request(new URL(link).pathname, { method: "POST" })).status).toBe(303)
  await browser.request("/~/device", { form: { user_code: userCode, decision: "allow" } })
  expect([await exited, output.trim()]).toEqual([0, `Logged in to ${server.url}.`])

  const file = join(env.XDG_CONFIG_HOME, "lectern", "credentials.json")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const token = await run("access-token")
  const statusOf = async (path: string) =>
    (await fetch(`${server.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await statusOf("/orgs"), await statusOf("/user/sessions")]).toEqual([200, 200])
  const { items } = JSON.parse((await browser.request("/v1/user/programs")).text)
  expect(items).toMatchObject([{ program: "lectern", permissions: ["organization.view", "space.view"] }])

  expect(await run("logout", server.url)).toBe(`Logged out of ${server.url}.`)
  expect(await statusOf("/orgs")).toBe(401)
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({})
  await server.end("SIGTERM")
})
