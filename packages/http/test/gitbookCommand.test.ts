/**
 * The command of GitBook, `@gitbook/cli`, unmodified, as a process against a server. The guide shows its output;
 * `LECTERN_UPDATE_GOLDEN=1` writes it there.
 *
 * `gitbook dev` runs the program `cloudflared` from its own folder, which opens a tunnel to the machine. A copy of the command
 * has a script in its place that reports the URL of a tunnel.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { until } from "./support/until.ts"

const guidePath = new URL("../../../docs/guides/integrations.md", import.meta.url)
const transcriptPattern = /(<!-- transcript -->\n```text\n)([\s\S]*?)(```\n)/

const require = createRequire(import.meta.url)
const command = dirname(require.resolve("@gitbook/cli/package.json"))

const manifestOf = (organization: string): string => `name: word-count
title: Word count
description: Counts the words of pages.
organization: ${organization}
visibility: private
scopes:
  - space:content:read
script: ./index.js
`

const spec = `openapi: 3.1.0
info:
  title: Pets
  version: "1"
paths: {}
`

const tunnel = `#!/bin/sh
echo "https://word-count.trycloudflare.com" >&2
echo "Registered tunnel connection" >&2
exec sleep 600
`

/** Starts the command in a folder, with its configuration in the folder. */
const startCommand = (folder: string, args: ReadonlyArray<string>, from = command) => {
  const child: ChildProcess = spawn(process.execPath, ["--no-warnings", join(from, "cli.js"), ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      TMPDIR: folder,
      NODE_PATH: [join(command, "node_modules"), dirname(dirname(command))].join(":")
    }
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  const output = { text: "" }
  const read = (text: Buffer) => {
    output.text += text
  }
  child.stdout?.on("data", read)
  child.stderr?.on("data", read)
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return { child, output, ended }
}

it("authenticates, publishes, tails, develops, unpublishes, and publishes an OpenAPI spec", async () => {
  const folder = temporaryFolder()
  const server = await serve(`sqlite:${join(folder, "lectern.db")}`)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const organization = items[0]!.id
  writeFileSync(join(folder, "gitbook-manifest.yaml"), manifestOf(organization))
  writeFileSync(join(folder, "index.js"), 'export default { fetch: () => new Response("OK") }\n')
  writeFileSync(join(folder, "petstore.yaml"), spec)

  const transcript: Array<string> = []
  /** Replaces the values that differ in each run. */
  const normalize = (text: string): string =>
    text
      .replaceAll(adminToken, "$TOKEN")
      .replaceAll(server.url, "https://docs.example.com")
      // The default public URL has the port of the setting.
      .replaceAll("http://127.0.0.1:0", "https://docs.example.com")
      .replaceAll(organization, "$ORG")
      .replaceAll(/\b[0-9a-z]{30}\b/g, "01h…")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-15T09:30:00.000Z")
      .replaceAll(/\bport \d+/g, "port 43925")
  const record = (args: ReadonlyArray<string>, lines: ReadonlyArray<string>) => {
    transcript.push(`$ gitbook ${normalize(args.join(" "))}`, ...lines.map(normalize), "")
  }
  const run = async (args: ReadonlyArray<string>, answer = ""): Promise<number | null> => {
    const { child, output, ended } = startCommand(folder, args)
    child.stdin?.end(answer)
    const code = await ended
    const lines = output.text.split("\n").map((line) => line.trimEnd())
    record(args, answer === "" ? lines.filter((line) => line !== "") : [])
    return code
  }

  expect(await run(["auth", "-t", adminToken, "-e", server.url])).toBe(0)
  expect(await run(["whoami"])).toBe(0)
  expect(await run(["publish"])).toBe(0)
  expect(await run(["publish"])).toBe(0)
  const path = "/v1/integrations/word-count"
  expect(await call(server, path)).toMatchObject({ version: 2, scopes: ["space:content:read"] })

  // The events of the integration.
  await call(server, `${path}/installations`, { method: "POST", body: JSON.stringify({ organization }) })
  const tail = startCommand(folder, ["tail"])
  await until("tail prints the event", () => tail.output.text.includes("no active webhook"))
  tail.child.kill("SIGINT")
  expect(await tail.ended).toBe(0)
  record(
    ["tail"],
    tail.output.text.split("\n").filter((line) => line.startsWith("["))
  )

  // Development mode, until the command is interrupted.
  const copy = join(folder, "node_modules/@gitbook/cli")
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(command, copy, {
    recursive: true,
    filter: (source) => !source.startsWith(join(command, "node_modules"))
  })
  writeFileSync(join(copy, "dist/cloudflared"), tunnel, { mode: 0o755 })
  const webhooks = async () =>
    (await call<{ items: ReadonlyArray<{ url: string }> }>(server, `/v1/orgs/${organization}/webhooks`)).items
  const dev = startCommand(folder, ["dev"], copy)
  await until("dev runs", () => dev.output.text.includes("Press Ctrl/CMD+C to exit"))
  expect(await webhooks()).toMatchObject([
    { url: "https://word-count.trycloudflare.com", integration: "word-count", development: "owner" }
  ])
  dev.child.kill("SIGINT")
  await dev.ended
  // The runtime of workers ends the process at the signal, usually before the command has ended development mode.
  await call(server, `${path}/dev`, { method: "DELETE" })
  expect(await webhooks()).toEqual([])
  record(
    ["dev"],
    dev.output.text.split("\n").filter((line) => line.startsWith("✔"))
  )

  expect(await run(["openapi", "publish", "-s", "pets", "-o", organization, "petstore.yaml"])).toBe(0)
  expect(await call(server, `/v1/orgs/${organization}/openapi/pets`)).toMatchObject({ slug: "pets" })

  expect(await run(["unpublish", "word-count"], "y\n")).toBe(0)
  await expect(call(server, path)).rejects.toThrow("404")

  const text = `${transcript.join("\n").trimEnd()}\n`
  const guide = readFileSync(guidePath, "utf8")
  if (process.env.LECTERN_UPDATE_GOLDEN === "1") {
    writeFileSync(
      guidePath,
      guide.replace(transcriptPattern, (_, start: string, __, end: string) => start + text + end)
    )
    return
  }
  expect(transcriptPattern.exec(guide)?.[2]).toBe(text)
})
