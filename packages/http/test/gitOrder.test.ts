/** The order of operations of Git synchronization, and the outcomes of pushes that are interrupted. */
import { type JobRow, jobs, Where } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { type GitWorkers, openGitWorkers } from "./support/gitWorkers.ts"

const files = {
  "README.md": "# Acme docs\n\nHello from Git.\n",
  "SUMMARY.md": "# Table of contents\n\n* [Acme docs](README.md)\n* [Setup](guides/setup.md)\n",
  "guides/setup.md": "# Setup\n\nInstall it.\n"
}

const open = async () => openGitWorkers(await memory.make())

/** Imports the files, so that later exports merge the branch. */
const openImported = async () => {
  const opened = await open()
  opened.git.commit(files)
  await opened.start("import")
  await opened.work()
  expect((await opened.info()).operation.state).toBe("success")
  return opened
}

const addPage = ({ edit }: GitWorkers, title = "From Lectern") =>
  edit({ operation: "insert_page", title, document: { markdown: "Text of Lectern.\n" } })

const isPush = (path: string): boolean => path === "/git-receive-pack"

const exportedCommits = ({ git }: GitWorkers) => git.log().filter(({ committer }) => committer === "Lectern")

describe("operations of Git synchronization", () => {
  it("run one after the other, also if several workers are idle", async () => {
    const opened = await openImported()
    const { git, start, work, info, pages } = opened
    git.commit({ "guides/setup.md": "# Setup\n\nInstall it again.\n" })
    await start("import")
    await addPage(opened)
    await start("export")
    const waiting = await info()
    expect(waiting).toMatchObject({ waiting: 1, operation: { direction: "export", state: "running" } })
    await work(3)
    const ended = await info()
    expect(ended).toMatchObject({
      operation: { direction: "export", state: "success" },
      previous: { direction: "import", state: "success" }
    })
    expect(ended.waiting).toBeUndefined()
    expect(git.latest()?.files.get("README.md")).toBe(files["README.md"])
    expect(git.latest()?.files.get("guides/setup.md")).toContain("Install it again.")
    expect(exportedCommits(opened).length).toBe(1)
    expect((await pages()).map(({ title }) => title)).toEqual(["Acme docs", "Setup", "From Lectern"])
  })

  it("push nothing after the first import of a branch that conflicts with the content", async () => {
    const opened = await open()
    const { git, start, work, info } = opened
    const oid = git.commit(files)
    await start("import")
    await addPage(opened)
    await start("export")
    await work(2)
    const { operation, previous, changeRequest } = await info()
    expect([previous?.state, operation.state]).toEqual(["success", "failure"])
    expect(operation.error).toMatch(/^The change request #1 has changes of the repository that conflict/)
    expect(changeRequest).toBeDefined()
    expect(git.latest()?.oid).toBe(oid)
  })

  it("merge changes of pages that only the repository has changed, next to new pages of the space", async () => {
    const opened = await openImported()
    const { git, start, work, info, pages } = opened
    await addPage(opened)
    git.commit({ "last.md": "# Last\n", "SUMMARY.md": `${files["SUMMARY.md"]}* [Last](last.md)\n` })
    await start("import")
    await work()
    git.commit({
      "last.md": undefined,
      "moved.md": "# Last\n\nChanged.\n",
      "SUMMARY.md": `${files["SUMMARY.md"]}* [Last](moved.md)\n`
    })
    await start("import")
    await work()
    const { operation, changeRequest } = await info()
    expect([operation.state, changeRequest]).toEqual(["success", undefined])
    expect((await pages()).map(({ title }) => title)).toEqual(["Acme docs", "Setup", "From Lectern", "Last"])
  })

  it("use the connection of their own request", async () => {
    const opened = await openImported()
    const { git, start, work, info } = opened
    await addPage(opened)
    await start("export", { commitMessage: "To main" })
    await start("export", { commitMessage: "To copy", ref: "refs/heads/copy" })
    expect((await info()).ref).toBe("refs/heads/main")
    await work()
    expect((await info()).ref).toBe("refs/heads/copy")
    expect(git.latest()?.message).toBe("To main")
    expect(git.latest("copy")?.message).toBe("To copy")
    expect(git.latest("copy")?.parent).toBeUndefined()
  })

  it("report the failure of an operation that another one follows", async () => {
    const { start, work, info, edit } = await open()
    await edit({ operation: "insert_page", title: "Start" })
    await start("import")
    await start("export")
    await work()
    expect(await info()).toMatchObject({
      operation: { direction: "export", state: "success" },
      previous: {
        direction: "import",
        state: "failure",
        error: "The repository has no refs/heads/main. An export creates the branch."
      }
    })
  })

  it("are at most 20 per space, and a webhook adds at most one import", async () => {
    const { git, start, work, info, server } = await openImported()
    await start("export")
    const webhook = new URL((await info()).webhook!).pathname
    for (let count = 0; count < 3; count++) {
      expect((await server.fetch(webhook, { method: "POST", body: "{}" })).status).toBe(202)
      expect((await info()).waiting).toBe(1)
    }
    for (let count = 2; count < 20; count++) await start("export")
    await expect(start("export")).rejects.toThrow("20 Git operations of the space have not ended.")
    const before = git.log().length
    await work(2)
    expect((await info()).operation.state).toBe("success")
    expect(git.log().length).toBe(before)
    await start("export")
  })

  it("continue if the job of the running operation is missing, as in a copy of the workspace", async () => {
    const { start, work, info, server } = await openImported()
    await start("import")
    await server.core.runtime.runPromise(
      Effect.flatMap(allRecords, (records) =>
        records.remove(jobs, Where.eq<JobRow, "kind">("kind", "gitSync"))
      )
    )
    await start("export")
    await work()
    expect(await info()).toMatchObject({
      operation: { direction: "export", state: "success" },
      previous: { direction: "import", state: "success" }
    })
  })
})

describe("the first export", () => {
  it("is rejected if the branch has files, without a commit", async () => {
    const opened = await open()
    const { git, start, work, info } = opened
    const oid = git.commit(files)
    const document = { markdown: "Hello from Git.\n" }
    await opened.edit({ operation: "insert_page", title: "Acme docs", document })
    await addPage(opened)
    await start("export")
    await work()
    expect((await info()).operation).toMatchObject({
      state: "failure",
      error:
        "refs/heads/main has files that were never imported, which the export could overwrite. Import the branch first, which merges both sides, or export with `force`."
    })
    expect(git.latest()?.oid).toBe(oid)
    // The remedies of the message.
    await start("import")
    await work()
    await start("export")
    await work()
    expect((await info()).operation.state).toBe("success")
    expect(git.latest()?.files.get("README.md")).toBe(files["README.md"])
  })

  it("replaces the files at its paths with `force`", async () => {
    const opened = await open()
    const { git, start, work, info } = opened
    git.commit(files)
    await addPage(opened)
    await start("export", { force: true })
    await work()
    expect((await info()).operation.state).toBe("success")
    expect(git.latest()?.files.get("README.md")).toContain("Text of Lectern.")
    expect(git.log().length).toBe(2)
  })

  it("creates a folder in a branch that has other files", async () => {
    const opened = await open()
    const { git, start, work, info } = opened
    git.commit({ "code.ts": "export {}\n" })
    await addPage(opened)
    const folder = { repoProjectDirectory: "docs" }
    await start("export", folder)
    await work()
    expect((await info()).operation.state).toBe("success")
    expect([...git.latest()!.files.keys()].sort()).toEqual(["code.ts", "docs/README.md", "docs/SUMMARY.md"])
  })

  it("is rejected if the folder has files", async () => {
    const opened = await open()
    const { git, start, work, info } = opened
    git.commit({ "docs/notes.txt": "Notes\n" })
    await addPage(opened)
    await start("export", { repoProjectDirectory: "docs" })
    await work()
    expect((await info()).operation.error).toMatch(/^The folder docs of refs\/heads\/main has files/)
  })
})

describe("an export", () => {
  it("that fails has not pushed: access is checked before the push", async () => {
    const opened = await openImported()
    const { git, start, work, server, organization, admin } = opened
    await addPage(opened)
    const other = await server.core.createUser("other@example.com")
    await server.core.setMember(organization, other, "admin")
    await start("export")
    const before = git.log().length
    let isDemoted = false
    git.hooks.around = async (path, when) => {
      if (isDemoted || !path.includes("service=git-receive-pack") || when === "request") return
      isDemoted = true
      await server.core.setMember(organization, admin, "read")
    }
    await work()
    await server.core.setMember(organization, admin, "admin")
    expect(isDemoted).toBe(true)
    expect((await opened.info()).operation.state).toBe("failure")
    expect(git.log().length).toBe(before)
  })

  it("that has pushed is successful, although its caller lost their access during the push", async () => {
    const opened = await openImported()
    const { git, start, work, server, organization, admin } = opened
    await addPage(opened)
    const other = await server.core.createUser("other@example.com")
    await server.core.setMember(organization, other, "admin")
    await start("export")
    git.hooks.around = async (path, when) => {
      if (isPush(path) && when === "response") await server.core.setMember(organization, admin, "read")
    }
    await work()
    await server.core.setMember(organization, admin, "admin")
    expect(await opened.info()).toMatchObject({
      operation: { state: "success" },
      commit: git.latest()?.oid
    })
  })

  it("whose response is lost is recorded, also if others have pushed since", async () => {
    const opened = await openImported()
    const { git, start, work, info, bodyOf, pages } = opened
    await addPage(opened)
    git.hooks.around = async (path, when) => {
      if (!isPush(path) || when === "request") return
      git.hooks.around = async () => {}
      git.commit({ "guides/setup.md": "# Setup\n\nInstall it again.\n" })
      throw new Error("The connection was closed.")
    }
    await start("export")
    await work()
    const exported = exportedCommits(opened)
    expect(exported.length).toBe(1)
    expect(await info()).toMatchObject({ operation: { state: "success" }, commit: exported[0]?.oid })
    await start("import")
    await work()
    const setup = (await pages()).find(({ title }) => title === "Setup")!
    expect(await bodyOf(setup.id)).toBe("Install it again.\n")
    expect(await info()).toMatchObject({ operation: { state: "success" }, commit: git.latest()?.oid })
    expect((await info()).changeRequest).toBeUndefined()
  })

  it("whose outcome is unknown is retried, and the next operation determines it after the retries", async () => {
    const opened = await openImported()
    const { git, start, work, info, advance } = opened
    await addPage(opened)
    let isDown = false
    git.hooks.around = async (path, when) => {
      if (isPush(path) && when === "response") isDown = true
      if (isDown) throw new Error("The connection was refused.")
    }
    await start("export")
    await work()
    const running = (await info()).operation
    expect(running.state).toBe("running")
    expect(running.error).toBeUndefined()
    for (let attempts = 0; attempts < 10; attempts++) {
      for (let minutes = 0; minutes < 10; minutes++) advance()
      await work()
    }
    const { oid } = git.latest()!
    const unknown = (await info()).operation
    expect(unknown.state).toBe("failure")
    expect(unknown.error).toMatch(/^The branch may have the commit of this export\. The next operation/)
    expect(unknown.error).toContain(oid)
    git.hooks.around = async () => {}
    await start("export", { commitMessage: "Again" })
    await work()
    expect(await info()).toMatchObject({ operation: { state: "success" }, commit: oid })
    expect(git.log().map(({ message }) => message)).toEqual(["Export", "Change"])
  })

  it("merges the branch before its push", async () => {
    const opened = await openImported()
    const { git, start, work } = opened
    git.commit({ "guides/setup.md": "# Setup\n\nInstall it again.\n" })
    await addPage(opened)
    await start("export")
    await work()
    expect(git.latest()?.files.get("guides/setup.md")).toContain("Install it again.")
    expect(exportedCommits(opened).length).toBe(1)
  })

  it("of a space without pages is rejected", async () => {
    const { start, work, info, git } = await open()
    await start("export")
    await work()
    expect((await info()).operation.error).toBe(
      "The space has no page with content, which a repository needs. Add a page, then export again."
    )
    expect(git.latest()).toBeUndefined()
  })
})
