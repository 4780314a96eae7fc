/** `lectern migrate gitbook` as a process: into a database and into a server, killed at random times, without duplicates. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { jsonResults } from "../../../scripts/reference/jsonResults.ts"
import { adminToken, call, runCommand, serve, spawnCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { createSource } from "./support/migration/createSource.ts"

interface Named {
  readonly title: string
}

const titlesOf = async (server: { readonly url: string }, organization: string) => {
  const { items } = await call<{ items: ReadonlyArray<Named & { id: string }> }>(
    server,
    `/v1/orgs/${organization}/spaces`
  )
  return items.map(({ title }) => title).sort()
}

const organizationOf = async (server: { readonly url: string }): Promise<string> =>
  (await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")).items[0]!.id

it("copies an organization into a server although it is killed, and into a database", {
  timeout: 600_000
}, async () => {
  const folder = temporaryFolder()
  const off = ["--rate-limits", "off"]
  const source = await serve(`sqlite:${join(folder, "source.db")}`, off)
  const organization = await organizationOf(source)
  await createSource(
    (method, path, body) =>
      call(source, `/v1${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    organization
  )
  const target = await serve(`sqlite:${join(folder, "target.db")}`, off)
  const toServer = {
    LECTERN_FROM_URL: source.url,
    LECTERN_FROM_TOKEN: adminToken,
    LECTERN_TO_URL: target.url,
    LECTERN_TO_TOKEN: adminToken,
    LECTERN_LOG_LEVEL: "error"
  }

  const plan = await runCommand(["migrate", "gitbook", "--dry-run"], toServer)
  expect(plan.output).toMatch(/^space Guide: 49 pages, 3 files, 2 reusable contents, 2 change requests$/m)
  expect(await titlesOf(target, await organizationOf(target))).toEqual([])

  const args = ["migrate", "gitbook", "--folder", join(folder, "migration"), "--json"]
  for (const delayMs of [1_500, 2_500, 3_500]) {
    const child = spawnCommand(args, toServer)
    const ended = new Promise((resolve) => child.once("exit", resolve))
    await sleep(delayMs)
    child.kill("SIGKILL")
    await ended
  }
  const { code, output, errors } = await runCommand(args, toServer)
  expect([code, errors.includes("lectern: ")]).toEqual([0, false])
  const result = JSON.parse(output) as Record<string, unknown>
  expect(Object.keys(result).sort()).toEqual(Object.keys(jsonResults["migrate gitbook"]!).sort())
  expect(await titlesOf(target, await organizationOf(target))).toEqual(["API", "Empty", "Guide", "Locked"])
  expect(readFileSync(join(folder, "migration/report.md"), "utf8")).toContain("## Never copied")
  expect(existsSync(join(folder, "migration/lock"))).toBe(false)

  const database = `sqlite:${join(folder, "local.db")}`
  const local = {
    LECTERN_FROM_URL: source.url,
    LECTERN_FROM_TOKEN: adminToken,
    LECTERN_DATABASE_URL: database
  }
  await runCommand(["init", "--organization", "Local"], local)
  const copied = await runCommand(["migrate", "gitbook", "--folder", join(folder, "local")], local)
  expect([copied.code, copied.output]).toEqual([0, expect.stringContaining("Nothing is missing.")])
  const { output: info } = await runCommand(["info", "--json"], local)
  expect(JSON.parse(info)).toMatchObject({ counts: { organizations: 1, spaces: 4, sites: 2 } })
})

it("names what its settings lack", async () => {
  const env = { LECTERN_DATABASE_URL: "sqlite::memory:" }
  const { code, errors } = await runCommand(["migrate", "gitbook"], env)
  expect([code, errors]).toEqual([
    1,
    "lectern: LECTERN_FROM_TOKEN or --from-token must be set: an API token of the source.\n"
  ])
})
