/** The output of commands for programs, and the confirmation that they give. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { Effect } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { jsonResults } from "../../../scripts/reference/jsonResults.ts"
import { type PromptTerminal, requireConfirmation } from "../../lectern/src/cli/output.ts"
import { runCommand } from "./processes.ts"

/** The names of the properties of an object, or of the first one of an array. */
const propertiesOf = (result: unknown): ReadonlyArray<string> =>
  Object.keys(
    (Array.isArray(result) ? ((result as ReadonlyArray<object>)[0] ?? {}) : result) as object
  ).sort()

/** The properties of the documented result, with the additions of the arguments. */
const expectedProperties = (command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const added = args.includes("--vacuum") ? ["bytesBefore", "bytesAfter"] : []
  const omitted = command === "org usage" ? ["maximum"] : []
  return [...propertiesOf(jsonResults[command]), ...added].filter((name) => !omitted.includes(name)).sort()
}

// Each command is a process.
it("prints one line of JSON with --json", { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-json-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "lectern.db")}` }
  const run = async (...args: ReadonlyArray<string>): Promise<[code: number | null, printed: unknown]> => {
    const { code, output } = await runCommand([...args, "--json"], env)
    expect(output.split("\n").length).toBe(2)
    const printed: unknown = JSON.parse(output)
    const command = args.slice(0, 2).join(" ")
    const documented = command in jsonResults ? command : args[0]!
    if (propertiesOf(printed).length > 0) {
      expect([documented, propertiesOf(printed)]).toEqual([documented, expectedProperties(documented, args)])
    }
    return [code, printed]
  }
  expect(await run("migrate", "status")).toMatchObject([2, { version: 0 }])
  expect(await run("init", "--organization", "First")).toMatchObject([0, { isCreated: true, title: "First" }])
  expect(await run("seed", "--demo")).toMatchObject([
    0,
    { token: expect.stringMatching(/^lectern_/), siteUrl: expect.stringContaining("/sites/") }
  ])
  expect(await run("migrate", "status")).toMatchObject([0, { pending: [] }])
  const [code, jobs] = await run("jobs", "list")
  expect(code).toBe(0)
  expect(jobs).toEqual(expect.any(Array))
  expect((await runCommand(["init", "--json"], env)).output).toBe(`{"isCreated":false}\n`)
  expect(await run("doctor", "--quick")).toMatchObject([0, { damage: 0 }])
  expect(await run("info")).toMatchObject([0, { counts: { organizations: 2 } }])
  const id = expect.stringMatching(/^[0-9a-z]{30}$/)
  expect(await run("user", "create", "grace@example.com")).toEqual([0, { id }])
  const [, organization] = await run("org", "create", "Navy", "--admin", "grace@example.com")
  expect(organization).toEqual({ id })
  const organizationId = (organization as { readonly id: string }).id
  expect(await run("org", "list")).toMatchObject([
    0,
    expect.arrayContaining([expect.objectContaining({ id: organizationId, title: "Navy" })])
  ])
  expect(await run("user", "list")).toMatchObject([
    0,
    expect.arrayContaining([expect.objectContaining({ email: "grace@example.com" })])
  ])
  expect(await run("org", "usage", organizationId)).toMatchObject([0, expect.any(Array)])
  expect(await run("org", "visitor-key", organizationId, "--yes")).toEqual([0, { key: expect.any(String) }])
  expect(await run("org", "delete", organizationId, "--yes")).toMatchObject([0, { id: organizationId }])
  expect(await run("org", "restore", organizationId)).toEqual([0, { id: organizationId }])
  const [, created] = await run("token", "create", "grace@example.com")
  expect(created).toEqual({ id, secret: expect.stringMatching(/^lectern_/) })
  const token = (created as { readonly id: string }).id
  await run("token", "list", "grace@example.com")
  expect(await run("token", "rotate", token, "--former-hours", "1")).toMatchObject([0, { id: token }])
  expect(await run("token", "revoke", token, "--yes")).toEqual([0, { id: token }])
  const tokens = await runCommand(["token", "list", "grace@example.com", "--json"], env)
  expect(JSON.parse(tokens.output)).toMatchObject([{ id: token, revokedAt: expect.any(String) }])
  expect(await run("reindex")).toEqual([0, { pages: expect.any(Number), spaces: expect.any(Number) }])
  expect(await run("secrets", "status")).toMatchObject([0, { isGenerated: true, tables: expect.any(Array) }])
  expect(await run("secrets", "rotate")).toMatchObject([0, { tables: expect.any(Array) }])
  expect(await run("compact")).toMatchObject([0, { deletedBlobs: 0 }])
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
  const exported = join(folder, "export")
  await run("export", "--organization", organizationId, "--to", exported)
  await run("copy", "--to", `sqlite:${join(folder, "copy.db")}`)
  // A healthy database has no lost rows.
  expect((await run("salvage", "--to", join(folder, "salvaged.db")))[0]).toBe(0)
  // The scope of a backup selects the command that loads it.
  const { code: wrong, errors } = await runCommand(["import", "--from", backups], env)
  expect([wrong, errors]).toEqual([
    1,
    `lectern: The backup ${backup} contains a whole workspace, which \`lectern restore\` loads.\n`
  ])
})

it("prints errors as one line of JSON with --json, and nothing to standard output", async () => {
  const env = { LECTERN_DATABASE_URL: "sqlite::memory:" }
  for (const [args, type, message] of [
    [["token", "revoke", "x"], "ConfigurationError", /Repeat the command with --yes to confirm\.$/],
    [
      ["token", "list", "ada@example.com"],
      "NotFound",
      /^No account has the e-mail address ada@example\.com\./
    ],
    [["token", "list"], "ConfigurationError", /--organization/],
    [
      ["token", "revoked"],
      "InvalidUsage",
      /^There is no command "revoked"\. Did you mean revoke\? See `lectern token --help`\.$/
    ],
    [
      ["info", "--database-uri", "x"],
      "InvalidUsage",
      /^There is no flag --database-uri\. Did you mean --database-url\?/
    ],
    [["restore"], "InvalidUsage", /^The flag --from is required\. See `lectern restore --help`\.$/],
    [["user", "create", "a@b.co", "--role", "king"], "InvalidUsage", /must be one of read, comment, /],
    [
      ["backup", "list", "--from", "/nonexistent"],
      "ConfigurationError",
      /^The folder \/nonexistent does not exist\.$/
    ]
  ] as const) {
    const { code, output, errors } = await runCommand([...args, "--json"], env)
    expect([args, code, output, errors.split("\n").length]).toEqual([args, 1, "", 2])
    expect(JSON.parse(errors)).toEqual({ error: { type, message: expect.stringMatching(message) } })
  }
})

it("requires --yes for irreversible commands", async () => {
  const env = { LECTERN_DATABASE_URL: "sqlite::memory:" }
  for (const args of [
    ["token", "revoke", "x"],
    ["token", "rotate", "x"],
    ["org", "visitor-key", "x"],
    ["org", "delete", "x"],
    ["compact", "--revision-retention-days", "7"]
  ]) {
    const { code, output, errors } = await runCommand(args, env)
    expect([args, code, output]).toEqual([args, 1, ""])
    expect(errors).toMatch(/^lectern: .*--yes to confirm\.\n$/)
  }
})

it("confirms an irreversible command at the prompt of a terminal", async () => {
  const confirm = async (input: string, isJson = false) => {
    const terminal = {
      input: Object.assign(new PassThrough(), { isTTY: true }),
      output: Object.assign(new PassThrough(), { isTTY: true })
    } satisfies PromptTerminal
    terminal.input.end(input)
    const exit = await Effect.runPromiseExit(
      requireConfirmation({ isConfirmed: false, isJson, effect: "It is gone." }, terminal)
    )
    return [exit._tag, String(terminal.output.read() ?? "")]
  }
  for (const input of ["y\n", "YES\n"]) {
    expect(await confirm(input)).toEqual(["Success", expect.stringContaining("It is gone. Continue? [y/N] ")])
  }
  for (const input of ["\n", "n\n", "yesterday\n", ""]) {
    expect([input, (await confirm(input))[0]]).toEqual([input, "Failure"])
  }
  expect(await confirm("y\n", true)).toEqual(["Failure", ""])
})

it("prints completions for each shell", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, output } = await runCommand(["--completions", shell])
    expect([shell, code]).toEqual([shell, 0])
    // A command, flags of commands and of all commands, and values of settings and of choices.
    for (const name of ["serve", "doctor", "database-url", "log-level", "pretty", "denied", "guest"])
      expect(output).toContain(name)
  }
})
