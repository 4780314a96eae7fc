/** Git synchronization in processes that are killed during operations, while both sides change: neither side loses content. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createWorkspace, type Revision } from "@lectern/core"
import { isLongRun } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { temporaryFolder } from "./stores.ts"
import { storageAt } from "./support/doctorFindings.ts"
import { git, startGitServer } from "./support/gitServer.ts"
import { programFile } from "./support/programFile.ts"
import { until } from "./support/until.ts"

const program = programFile(new URL("./support/jobsProcess.ts", import.meta.url))

/** The number of processes that are killed. */
const kills = isLongRun ? 60 : 8

/** The longest time that a process runs before it is killed, in milliseconds: about as long as an operation. */
const longestRunMs = 900

const ref = "refs/heads/main"

/** Starts processes that run jobs on a database. Each kills the one before it. */
const startProcesses = (database: string) => {
  let child: ChildProcess | undefined
  const kill = async () => {
    if (child === undefined) return
    const exited = new Promise((resolve) => child!.once("exit", resolve))
    child.kill("SIGKILL")
    await exited
    child = undefined
  }
  onTestFinished(kill)
  return {
    replace: async () => {
      await kill()
      child = spawn(process.execPath, ["--conditions=@lectern/source", program, database], {
        stdio: "inherit"
      })
    }
  }
}

/** Pushes a paragraph on top of the branch, as other people do: never with force. */
const pushParagraph = (server: Awaited<ReturnType<typeof startGitServer>>, text: string): void => {
  for (let attempts = 0; attempts < 20; attempts++) {
    server.pull()
    const readme = readFileSync(join(server.work, "README.md"), "utf8")
    server.writeFiles({ "README.md": `${readme.trimEnd()}\n\n${text}\n` })
    git(server.work, "add", "--all")
    git(server.work, "commit", "--quiet", "--message", text)
    try {
      git(server.work, "push", "--quiet", "origin", "HEAD")
      return
    } catch {
      // Lectern has pushed in the meantime.
    }
  }
  throw new Error("The branch moved at each of 20 attempts to push.")
}

const stores = [
  { name: "SQLite", make: async () => join(temporaryFolder(), "lectern.db") },
  { name: "PostgreSQL", make: () => createTestDatabase(inject("postgres")) }
]

describe("Git synchronization whose processes are killed", () => {
  for (const { name, make } of stores) {
    it(`retains the text of both sides, once, and pushes one commit per export, on ${name}`, {
      timeout: 600_000
    }, async () => {
      const database = await make()
      const workspace = createWorkspace({
        storage: storageAt(database.startsWith("postgres") ? database : `sqlite:${database}`)
      })
      onTestFinished(() => workspace.dispose())
      const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
      const organization = await workspace.administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const ada = workspace.as(user)
      const { id: space } = await ada.spaces.create({ organization })
      const server = await startGitServer()
      server.commit({ "README.md": "# Start\n\nFirst.\n", "SUMMARY.md": "* [Start](README.md)\n" })
      const at = { url: server.url, ref }
      const isIdle = async () => {
        const { operation, waiting } = await ada.gitSync.getInfo({ space })
        return operation.state !== "running" && waiting === undefined
      }
      const finish = () => until("the operations have ended", isIdle)

      const processes = startProcesses(database)
      await processes.replace()
      await ada.gitSync.importRepository({ space, input: at })
      await finish()

      const messages: Array<string> = []
      for (let index = 0; index < kills; index++) {
        const commitMessage = `Export ${index}`
        messages.push(commitMessage)
        await ada.content.edit({
          content: { space },
          input: {
            changes: [{ operation: "insert_page", title: `Page${index}l`, document: { markdown: "Text.\n" } }]
          }
        })
        await ada.gitSync.exportRepository({ space, input: { ...at, commitMessage } })
        pushParagraph(server, `Word${index}g.`)
        if (index % 3 === 2) await ada.gitSync.importRepository({ space, input: at })
        await setTimeout((longestRunMs * (index + 1)) / kills)
        await processes.replace()
      }
      await finish()
      await ada.gitSync.importRepository({ space, input: at })
      await finish()
      await ada.gitSync.exportRepository({ space, input: { ...at, commitMessage: "Last export" } })
      await finish()
      expect((await ada.gitSync.getInfo({ space })).operation).toMatchObject({ state: "success" })

      const { pages } = await ada.content.listPages({ content: { space } })
      const titles = pages.map(({ title }) => title)
      const expected = Array.from({ length: kills }, (_, index) => `Page${index}l`)
      expect(titles.filter((title) => title.startsWith("Page")).sort()).toEqual(expected.sort())
      const start = pages.find(({ title }) => title === "Start") as Revision["pages"][number]
      const body = await ada.content.getPage({
        content: { space },
        page: start.id,
        input: { format: "markdown" }
      })
      const files = server.filesOf()
      const texts = Object.values(files).map((bytes) => new TextDecoder().decode(bytes as Uint8Array))
      for (let index = 0; index < kills; index++) {
        expect(JSON.stringify(body)).toContain(`Word${index}g.`)
        expect(texts.filter((text) => text.includes(`Word${index}g.`))).toHaveLength(1)
        expect(texts.filter((text) => text.includes(`# Page${index}l`))).toHaveLength(1)
      }
      const log = git(server.bare, "log", "--format=%s", "main").split("\n")
      for (const message of messages)
        expect(log.filter((line) => line === message).length).toBeLessThanOrEqual(1)
    })
  }
})
