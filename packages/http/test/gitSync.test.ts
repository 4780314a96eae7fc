/** Git synchronization with `git`: imports, exports, conflicts, rewritten and deleted branches. */
import { BackgroundWork, type GitInfo, type RecordsAdapter } from "@lectern/core"
import type { GitHostOptions } from "@lectern/harness/git"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { findings } from "./support/doctorFindings.ts"
import { git, startGitServer } from "./support/gitServer.ts"
import { type Page, startImportWorkspace, titleTree } from "./support/imports.ts"
import { comparable, type Files } from "./support/repositories.ts"
import { pixelImage } from "./support/website.ts"

const files: Files = {
  "README.md": "# Start\n\nTo [setup](guide/setup.md).\n\n![Dot](.gitbook/assets/dot.png)\n",
  "SUMMARY.md":
    "# Table of contents\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Set up](guide/setup.md)\n",
  "guide/README.md": "# Guide\n\nFirst line.\n\nSecond line.\n\nThird line.\n",
  "guide/setup.md": "# Set up\n",
  ".gitbook/assets/dot.png": pixelImage(1),
  "src/code.ts": "export {}\n"
}

/** Starts a workspace and a Git server, with functions that synchronize both. */
const openSync = async (storage: Layer.Layer<RecordsAdapter, unknown>, options?: GitHostOptions) => {
  const opened = await startImportWorkspace(storage)
  const { call, space, server: lectern, token } = opened
  const server = await startGitServer(options)
  const drain = Effect.provideService(
    Effect.flatMap(BackgroundWork, (work) => work.drain),
    Clock.Clock,
    lectern.core.clock
  )
  const work = () => lectern.core.runtime.runPromise(drain)
  const info = () => call<GitInfo>("GET", `/spaces/${space}/git/info`)
  const start = async (operation: "import" | "export", input: Record<string, unknown>) => {
    const response = await lectern.fetch(`/v1/spaces/${space}/git/${operation}`, {
      method: "POST",
      token,
      body: JSON.stringify({ url: server.url, ref: "refs/heads/main", ...input })
    })
    expect([response.status, await response.text()]).toEqual([204, ""])
  }
  const pull = async (input: Record<string, unknown> = {}) => {
    await start("import", input)
    await work()
    return await info()
  }
  const push = async (input: Record<string, unknown> = {}) => {
    await start("export", { commitMessage: "Export the documentation", ...input })
    await work()
    return await info()
  }
  const edit = (...changes: ReadonlyArray<Record<string, unknown>>) =>
    call("POST", `/spaces/${space}/content`, { changes })
  /** Finds a page by its title. */
  const find = async (title: string, pages?: ReadonlyArray<Page>): Promise<Page> => {
    const flat = (list: ReadonlyArray<Page>): ReadonlyArray<Page> =>
      list.flatMap((page) => [page, ...flat(page.pages ?? [])])
    return flat(pages ?? (await opened.pages())).find((page) => page.title === title)!
  }
  const setBody = async (title: string, markdown: string) =>
    edit({ operation: "update_page", page: (await find(title)).id, document: { markdown } })
  const bodyOf = async (title: string) =>
    (await call<Page>("GET", `/spaces/${space}/content/page/${(await find(title)).id}?format=markdown`))
      .markdown
  /** Starts a worker. Interrupting it releases its job, as when a process stops. */
  const startWorker = () => lectern.core.runtime.runFork(drain)
  const doctor = () => lectern.core.runtime.runPromise(findings)
  return {
    ...opened,
    git: server,
    work,
    startWorker,
    doctor,
    info,
    start,
    pull,
    push,
    edit,
    find,
    setBody,
    bodyOf
  }
}

const success = { operation: { state: "success" } }

describe("Git synchronization", () => {
  for (const { name, make } of ruleStores) {
    it(`merges changes of both sides, on ${name}`, async () => {
      const {
        git: server,
        pull,
        push,
        edit,
        setBody,
        bodyOf,
        find,
        pages,
        space,
        call,
        doctor
      } = await openSync(await make())
      const first = server.commit(files)
      expect(await pull()).toMatchObject({
        ...success,
        commit: first,
        ref: "refs/heads/main",
        repoName: "docs"
      })
      expect(titleTree(await pages())).toEqual(["Start", ["Guide", ["Set up"]]])
      const [start, guide] = [await find("Start"), await find("Guide")]

      // Both sides change different lines of a page, and each adds a page.
      const second = server.commit({
        "guide/README.md": "# Guide\n\nFirst line of Git.\n\nSecond line.\n\nThird line.\n",
        "guide/new.md": "# From Git\n",
        "SUMMARY.md":
          "# Table of contents\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n  * [From Git](guide/new.md)\n  * [Set up](guide/setup.md)\n"
      })
      await setBody("Guide", "First line.\n\nSecond line.\n\nThird line of Lectern.\n")
      await edit({
        operation: "insert_page",
        title: "From Lectern",
        into: guide.id,
        document: { markdown: `To [start](/pages/${start.id}).\n` }
      })
      expect(await pull()).toMatchObject({ ...success, commit: second })
      expect(await bodyOf("Guide")).toBe("First line of Git.\n\nSecond line.\n\nThird line of Lectern.\n")
      expect(titleTree(await pages())).toEqual(["Start", ["Guide", ["From Git", "Set up", "From Lectern"]]])
      expect((await find("Guide")).id).toBe(guide.id)

      const pushed = await push()
      expect(pushed).toMatchObject(success)
      server.pull()
      expect(git(server.work, "log", "-1", "--format=%H %an %ae %cn %s")).toBe(
        `${pushed.commit} admin admin@example.com Lectern Export the documentation`
      )
      expect(git(server.work, "rev-parse", "HEAD^")).toBe(second)
      expect(git(server.work, "diff", "--name-only", "HEAD^")).toBe(
        "SUMMARY.md\nguide/README.md\nguide/from-lectern.md"
      )
      const exported = comparable(server.filesOf())
      expect(exported["guide/from-lectern.md"]).toBe("# From Lectern\n\nTo [start](../README.md).\n")
      expect(exported["src/code.ts"]).toBe("export {}\n")
      const revision = await call("GET", `/spaces/${space}/revisions/${pushed.revision}`)
      expect(revision).toMatchObject({ git: { oid: pushed.commit, createdByService: true } })

      // Nothing has changed: neither direction creates anything.
      expect((await push()).commit).toBe(pushed.commit)
      expect((await pull()).revision).toBe(pushed.revision)
      server.pull()
      expect(git(server.work, "rev-parse", "HEAD")).toBe(pushed.commit)

      // The exported page keeps its id when the repository changes, renames, moves and removes files.
      const ours = await find("From Lectern")
      git(server.work, "mv", "guide/from-lectern.md", "moved.md")
      server.commit({
        "guide/setup.md": undefined,
        "SUMMARY.md":
          "# Table of contents\n\n* [From Lectern](moved.md)\n* [Guide](guide/README.md)\n  * [From Git](guide/new.md)\n* [Start](README.md)\n"
      })
      expect(await pull()).toMatchObject(success)
      expect(titleTree(await pages())).toEqual(["From Lectern", ["Guide", ["From Git"]], "Start"])
      expect((await find("From Lectern")).id).toBe(ours.id)
      expect((await find("From Lectern")).path).toBe("moved")
      expect(await doctor()).toEqual([])
    })
  }

  it("proposes conflicting changes, and continues after the change request is merged or archived", async () => {
    const {
      git: server,
      pull,
      push,
      setBody,
      bodyOf,
      space,
      call,
      doctor
    } = await openSync(await memory.make())
    server.commit(files)
    const { revision } = await pull()
    const conflicting = async (text: string) => {
      await setBody("Guide", `Lectern ${text}.\n\nSecond line.\n\nThird line.\n`)
      return server.commit({ "guide/README.md": `# Guide\n\nGit ${text}.\n\nSecond line.\n\nThird line.\n` })
    }
    await conflicting("one")
    const { changeRequest, ...conflicted } = await pull()
    expect(conflicted).toMatchObject(success)
    expect(conflicted.revision).not.toBe(revision)
    const path = `/spaces/${space}/change-requests/${changeRequest}`
    expect(await call("GET", path)).toMatchObject({
      status: "open",
      subject: expect.stringMatching(/^Changes of main up to [0-9a-f]{7}$/)
    })
    expect(await call("POST", `${path}/merge`)).toMatchObject({
      result: "conflicts",
      conflicts: [{ kind: "body", page: { title: "Guide" } }]
    })
    expect(await bodyOf("Guide")).toContain("Lectern one")

    // The content of the repository is not overwritten, and its further changes are added to the change request.
    expect((await push()).operation).toMatchObject({
      state: "failure",
      error: expect.stringMatching(/^The change request #1 has changes of the repository that conflict/)
    })
    server.commit({ "guide/setup.md": "# Set up\n\nMore.\n" })
    expect(await pull()).toMatchObject({ ...success, changeRequest })
    const proposed = await call<{ markdown: string }>("GET", `${path}/content/path/start?format=markdown`)
    expect(proposed).toBeDefined()

    // The change request takes the text of Lectern, and is merged.
    const guide = await call<{ id: string }>("GET", `/spaces/${space}/content/path/guide`)
    await call("POST", `${path}/content`, {
      changes: [
        {
          operation: "update_page",
          page: guide.id,
          document: { markdown: "Lectern one.\n\nSecond line.\n\nThird line.\n" }
        }
      ]
    })
    expect(await call("POST", `${path}/merge`)).toMatchObject({ result: "merge" })
    expect(await bodyOf("Set up")).toBe("More.\n")
    const pushed = await push()
    expect(pushed).toMatchObject(success)
    expect(pushed.changeRequest).toBeUndefined()
    expect(comparable(server.filesOf())["guide/README.md"]).toContain("Lectern one")

    // An archived change request rejects the changes of the repository.
    server.pull()
    await conflicting("two")
    const second = await pull()
    expect(second.changeRequest).toBeDefined()
    await call("PATCH", `/spaces/${space}/change-requests/${second.changeRequest}`, { status: "archived" })
    expect(await push()).toMatchObject(success)
    expect(comparable(server.filesOf())["guide/README.md"]).toContain("Lectern two")
    expect(await doctor()).toEqual([])
  })

  it("imports a branch whose history was rewritten, and creates a branch that was deleted", async () => {
    const { git: server, pull, push, setBody, bodyOf, pages } = await openSync(await memory.make())
    const first = server.commit(files)
    server.commit({ "guide/README.md": "# Guide\n\nLost.\n" })
    await pull()
    expect(await bodyOf("Guide")).toBe("Lost.\n")
    await setBody("Set up", "Of Lectern.\n")
    git(server.work, "reset", "--quiet", "--hard", first)
    const rewritten = server.commit({ "README.md": "# Rewritten\n" })
    expect(await pull()).toMatchObject({ ...success, commit: rewritten })
    expect(titleTree(await pages())).toEqual(["Start", ["Guide", ["Set up"]]])
    expect(await bodyOf("Guide")).toContain("First line.")
    expect(await bodyOf("Set up")).toBe("Of Lectern.\n")

    git(server.bare, "update-ref", "-d", "refs/heads/main")
    expect((await pull()).operation).toMatchObject({
      state: "failure",
      error: "The repository has no refs/heads/main. An export creates the branch."
    })
    expect(await push()).toMatchObject(success)
    expect(git(server.bare, "rev-list", "--count", "main")).toBe("1")
    expect(comparable(server.filesOf())["guide/setup.md"]).toBe("# Set up\n\nOf Lectern.\n")
    expect(await pull()).toMatchObject(success)
  })

  it("exports to an empty repository and to a folder, and leaves other files unchanged", async () => {
    const { git: server, push, pull, edit, pages, find } = await openSync(await memory.make())
    await edit(
      { operation: "insert_page", title: "Home", document: { markdown: "Welcome.\n" } },
      { operation: "insert_page", title: "Next", document: { markdown: "More.\n" } }
    )
    const folder = { repoProjectDirectory: "./docs/" }
    expect(await push(folder)).toMatchObject(success)
    expect(Object.keys(server.filesOf()).sort()).toEqual([
      "docs/README.md",
      "docs/SUMMARY.md",
      "docs/next.md"
    ])
    server.pull()
    server.commit({ "code.ts": "export {}\n", "docs/notes.txt": "Notes\n" })
    const next = await find("Next")
    await edit({ operation: "delete_page", page: next.id })
    expect(await push(folder)).toMatchObject(success)
    expect(Object.keys(server.filesOf()).sort()).toEqual([
      "code.ts",
      "docs/README.md",
      "docs/SUMMARY.md",
      "docs/notes.txt"
    ])
    server.pull()
    server.commit({ "docs/README.md": "# Home\n\nChanged.\n" })
    const home = await find("Home")
    expect(await pull(folder)).toMatchObject(success)
    expect((await find("Home")).id).toBe(home.id)
    expect(titleTree(await pages())).toEqual(["Home"])
  })

  it("sends credentials only to the server, and stores them for later operations", async () => {
    const authorization = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`
    const { git: server, pull, push, info } = await openSync(await memory.make(), { authorization })
    server.commit(files)
    expect((await pull()).operation).toMatchObject({
      state: "failure",
      error: "The server responded with status 401."
    })
    const url = server.url.replace("//", "//ada:p%40ss@")
    expect(await pull({ url })).toMatchObject(success)
    expect(JSON.stringify(await info())).not.toContain("ss@")
    expect(await push()).toMatchObject(success)
    // Another repository does not receive them.
    expect((await pull({ url: server.url.replace("docs.git", "other.git") })).operation.state).toBe("failure")
  })

  it("merges the commits of others that are pushed during an export", async () => {
    let interrupt: (() => void) | undefined
    const opened = await openSync(await memory.make(), {
      intercept: ({ url }) => {
        if (url?.endsWith("git-receive-pack") !== true) return undefined
        interrupt?.()
        interrupt = undefined
        return undefined
      }
    })
    const { git: server, pull, push, setBody } = opened
    server.commit(files)
    await pull()
    await setBody("Set up", "Of Lectern.\n")
    interrupt = () => server.commit({ "guide/README.md": "# Guide\n\nMeanwhile.\n" })
    expect(await push()).toMatchObject(success)
    const exported = comparable(server.filesOf())
    expect(exported["guide/README.md"]).toBe("# Guide\n\nMeanwhile.\n")
    expect(exported["guide/setup.md"]).toBe("# Set up\n\nOf Lectern.\n")
    expect(await opened.bodyOf("Guide")).toBe("Meanwhile.\n")
  })
  it("imports when the Git server calls the webhook", async () => {
    const { git: server, pull, info, work, bodyOf, server: lectern } = await openSync(await memory.make())
    server.commit(files)
    const { webhook = "" } = await pull()
    const call = (url: string, method = "POST") =>
      lectern.fetch(new URL(url).pathname, { method, body: method === "POST" ? "{}" : null })
    server.commit({ "guide/setup.md": "# Set up\n\nPushed.\n" })
    expect((await call(webhook)).status).toBe(202)
    expect((await info()).operation).toMatchObject({ direction: "import", state: "running" })
    await work()
    expect(await bodyOf("Set up")).toBe("Pushed.\n")
    expect((await call(webhook, "GET")).status).toBe(405)
    expect((await call(`${webhook}x`)).status).toBe(404)
    expect((await call(webhook.replace(/[^/]+$/, ""))).status).toBe(404)
  })

  it("ignores an operation that is older than the latest one", async () => {
    const { git: server, pull, start, info } = await openSync(await memory.make())
    server.commit(files)
    await pull({ timestamp: "2026-02-01T00:00:00.000Z" })
    await start("export", { commitMessage: "Late", timestamp: "2026-01-01T00:00:00.000Z" })
    expect((await info()).operation).toMatchObject({ direction: "import", state: "success" })
  })

  it("replaces the content with `force`, and leaves it unchanged with `standalone`", async () => {
    const { git: server, pull, setBody, bodyOf, space, call } = await openSync(await memory.make())
    server.commit(files)
    await pull()
    await setBody("Set up", "Of Lectern.\n")
    const oid = server.commit({ "guide/README.md": "# Guide\n\nChanged.\n" })
    const { revision } = await call<{ revision: string }>("GET", `/spaces/${space}`)
    const standalone = await pull({ standalone: true })
    expect(standalone.commit).not.toBe(oid)
    expect(await call("GET", `/spaces/${space}`)).toMatchObject({ revision })
    expect(await pull({ force: true })).toMatchObject({ ...success, commit: oid })
    expect(await bodyOf("Set up")).toBe("")
    expect(await bodyOf("Guide")).toBe("Changed.\n")
  })

  it("continues after a worker stops at any request, with one commit", async () => {
    for (let stopped = 1; stopped <= 4; stopped++) {
      let requests = 0
      let stop: (() => void) | undefined
      const opened = await openSync(await memory.make(), {
        intercept: () => {
          requests++
          if (requests === stopped) stop?.()
          return undefined
        }
      })
      const { git: server, pull, start, work, startWorker, info, edit, find } = opened
      server.commit(files)
      await pull()
      const guide = await find("Guide")
      await edit(
        { operation: "insert_page", title: "Added", into: guide.id, document: { markdown: "Text.\n" } },
        { operation: "update_page", page: guide.id, document: { markdown: "Changed.\n" } }
      )
      const added = await find("Added")
      await start("export", { commitMessage: "Export" })
      requests = 0
      const worker = startWorker()
      await new Promise<void>((resolve) => {
        stop = resolve
      })
      await Effect.runPromise(Fiber.interrupt(worker))
      await work()
      expect((await info()).operation).toMatchObject({ direction: "export", state: "success" })
      expect(git(server.bare, "rev-list", "--count", "main")).toBe("2")
      expect(titleTree(await opened.pages())).toEqual(["Start", ["Guide", ["Set up", "Added"]]])
      expect((await find("Added")).id).toBe(added.id)
      expect(comparable(server.filesOf())["guide/README.md"]).toBe("# Guide\n\nChanged.\n")
    }
  })
})
