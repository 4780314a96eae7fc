/** The output of commands for programs, and the confirmation that they give. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { runCommand } from "./processes.ts"

// Each command is a process.
it("prints one line of JSON with --json", { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-json-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "lectern.db")}` }
  const run = async (...args: ReadonlyArray<string>): Promise<[code: number | null, printed: unknown]> => {
    const { code, output } = await runCommand([...args, "--json"], env)
    expect(output.split("\n").length).toBe(2)
    return [code, JSON.parse(output)]
  }
  expect(await run("migrate", "status")).toMatchObject([2, { version: 0 }])
  expect(await run("seed", "--demo")).toMatchObject([
    0,
    { token: expect.stringMatching(/^lectern_/), siteUrl: expect.stringContaining("/sites/") }
  ])
  expect(await run("migrate", "status")).toMatchObject([0, { pending: [] }])
  const [code, jobs] = await run("jobs", "list")
  expect(code).toBe(0)
  expect(jobs).toEqual(expect.any(Array))
  expect(await run("init")).toEqual([0, { isCreated: false }])
  const id = expect.stringMatching(/^[0-9a-z]{30}$/)
  expect(await run("user", "create", "grace@example.com")).toEqual([0, { id }])
  const [, organization] = await run("org", "create", "Navy", "--admin", "grace@example.com")
  expect(organization).toEqual({ id })
  const organizationId = (organization as { readonly id: string }).id
  expect(await run("org", "visitor-key", organizationId, "--yes")).toEqual([0, { key: expect.any(String) }])
  const [, created] = await run("token", "create", "grace@example.com")
  expect(created).toEqual({ id, secret: expect.stringMatching(/^lectern_/) })
  const token = (created as { readonly id: string }).id
  expect(await run("token", "rotate", token, "--former-hours", "1")).toMatchObject([0, { id: token }])
  expect(await run("token", "revoke", token, "--yes")).toEqual([0, { id: token }])
  expect(await run("token", "list", "grace@example.com")).toMatchObject([
    0,
    [{ id: token, revokedAt: expect.any(String) }]
  ])
  expect(await run("reindex")).toEqual([0, { pages: expect.any(Number), spaces: expect.any(Number) }])
  expect(await run("secrets", "status")).toMatchObject([0, { isGenerated: true, tables: expect.any(Array) }])
  expect(await run("compact", "--vacuum")).toMatchObject([
    0,
    { deletedBlobs: 0, bytesAfter: expect.any(Number) }
  ])
  const backups = join(folder, "backups")
  const [, written] = await run("backup", "--to", backups)
  expect(written).toMatchObject({ id: expect.any(String), folder: backups, deleted: [] })
  const [, listed] = await run("backup", "list", "--from", backups)
  const backup = (written as { readonly id: string }).id
  expect(listed).toMatchObject([{ id: backup, organization: null }])
  const restored = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "restored.db")}` }
  const { output } = await runCommand(["restore", "--from", backups, "--json"], restored)
  expect(JSON.parse(output)).toMatchObject({ isDryRun: false, omitted: [] })
  // The scope of a backup selects the command that loads it.
  const { code: wrong, errors } = await runCommand(["import", "--from", backups], env)
  expect([wrong, errors]).toEqual([
    1,
    `lectern: The backup ${backup} contains a whole workspace, which \`lectern restore\` loads.\n`
  ])
})

it("requires --yes for irreversible commands", async () => {
  const env = { LECTERN_DATABASE_URL: "sqlite::memory:" }
  for (const args of [
    ["token", "revoke", "x"],
    ["token", "rotate", "x"],
    ["org", "visitor-key", "x"]
  ]) {
    const { code, output, errors } = await runCommand(args, env)
    expect([args, code, output]).toEqual([args, 1, ""])
    expect(errors).toMatch(/^lectern: .*--yes to confirm\.\n$/)
  }
})

it("prints completions for each shell", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, output } = await runCommand(["--completions", shell])
    expect([shell, code]).toEqual([shell, 0])
    for (const name of ["serve", "doctor", "database-url"]) expect(output).toContain(name)
  }
})
