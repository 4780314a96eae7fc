/** Imports from Git servers that send commits without files: dates from the history, and commits above the limit. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { BackgroundWork, type GitInfo, ImportLimits } from "@lectern/core"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { git, startGitServer } from "./support/gitServer.ts"
import { type Page, startImportWorkspace } from "./support/imports.ts"

type Files = Readonly<Record<string, string | Uint8Array | undefined>>

/** Starts a Git server that sends commits without files, and with `any` also single files. */
const startPartialServer = async (any = true) => {
  const server = await startGitServer()
  git(server.bare, "config", "uploadpack.allowFilter", "true")
  if (any) git(server.bare, "config", "uploadpack.allowAnySHA1InWant", "true")
  return {
    ...server,
    /** Commits and pushes changes at a time in seconds since 1970. */
    commitAt: (seconds: number, files: Files): void => {
      server.writeFiles(files)
      git(server.work, "add", "--all", "--force")
      const name = { GIT_COMMITTER_NAME: "Tester", GIT_COMMITTER_EMAIL: "tester@example.com" }
      execFileSync(
        "git",
        ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "commit", "-q", "-m", "Change"],
        { cwd: server.work, env: { ...process.env, ...name, GIT_COMMITTER_DATE: `@${seconds} +0000` } }
      )
      git(server.work, "push", "--quiet", "--force", "origin", "HEAD")
    }
  }
}

const megabyte = 1024 * 1024

const openWorkspace = async (archiveBytes = 64 * megabyte) => {
  const limits = Layer.succeed(ImportLimits, { archivePages: 100, archiveBytes, websitePages: 10 })
  return startImportWorkspace(await memory.make(), undefined, undefined, limits)
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

const datesOf = (pages: ReadonlyArray<Page & { readonly updatedAt?: string }>) =>
  Object.fromEntries(pages.map(({ title, updatedAt }) => [title, updatedAt]))

const summary = "* [Start](README.md)\n* [Old](old.md)\n* [New](new.md)\n"
const [first, second, third] = [1_500_000_000, 1_500_100_000, 1_500_200_000]

describe("an import from a Git server that sends commits without files", () => {
  it("dates pages by the commits that changed them last", async () => {
    const opened = await openWorkspace()
    const server = await startPartialServer(false)
    server.commitAt(first, {
      "README.md": "# Start\n",
      "SUMMARY.md": summary,
      "old.md": "# Old\n",
      "new.md": "-"
    })
    server.commitAt(second, { "new.md": "# New\n" })
    const { status, value } = await opened.importContent({ url: server.url, source: "git" })
    expect([status, value.error]).toEqual([201, undefined])
    expect(datesOf(await opened.pages())).toEqual({
      Start: dateOf(first),
      Old: dateOf(first),
      New: dateOf(second)
    })
    server.commitAt(third, { "old.md": "# Old\n\nText.\n" })
    await opened.importContent({ url: server.url, source: "git" })
    expect(datesOf(await opened.pages())).toEqual({
      Start: dateOf(first),
      Old: dateOf(third),
      New: dateOf(second)
    })
  })

  it("synchronizes with the dates of commits, and requests only the commits after the last one", async () => {
    const { call, space, server: lectern, token, pages } = await openWorkspace()
    const server = await startPartialServer(false)
    const drain = Effect.provideService(
      Effect.flatMap(BackgroundWork, (work) => work.drain),
      Clock.Clock,
      lectern.core.clock
    )
    const synchronize = async () => {
      await lectern.fetch(`/v1/spaces/${space}/git/import`, {
        method: "POST",
        token,
        body: JSON.stringify({ url: server.url, ref: "refs/heads/main" })
      })
      await lectern.core.runtime.runPromise(drain)
      const { operation } = await call<GitInfo>("GET", `/spaces/${space}/git/info`)
      expect(operation).toMatchObject({ state: "success" })
    }
    server.commitAt(first, {
      "README.md": "# Start\n",
      "SUMMARY.md": summary,
      "old.md": "# Old\n",
      "new.md": "-"
    })
    await synchronize()
    server.commitAt(second, { "new.md": "# New\n" })
    server.commitAt(third, { "old.md": "# Old\n\nText.\n" })
    await synchronize()
    expect(datesOf(await pages())).toEqual({ Start: dateOf(first), Old: dateOf(third), New: dateOf(second) })
  })

  it("omits large files that no page names from a commit above the limit", async () => {
    const opened = await openWorkspace(megabyte)
    const server = await startPartialServer()
    server.commit({
      "README.md":
        '# Start\n\n![Named](<.gitbook/assets/a (1).png>)\n\n<img src=".gitbook/assets/b%20c.png">\n',
      ".gitbook/assets/a (1).png": randomBytes(300 * 1024),
      ".gitbook/assets/b c.png": randomBytes(300 * 1024),
      ".gitbook/assets/unused.png": randomBytes(megabyte)
    })
    const { status, value } = await opened.importContent({ url: server.url, source: "git" })
    expect([status, value.error]).toEqual([201, undefined])
    expect(value).toMatchObject({ importedResources: 3, totalResources: 4 })
    expect((await opened.files()).map(({ name, size }) => [name, size]).sort()).toEqual([
      ["a (1).png", 300 * 1024],
      ["b c.png", 300 * 1024]
    ])
    expect((await opened.page("start")).markdown ?? "").not.toContain("<.gitbook")
  })

  it("fails with the limit and the remedy if the named files exceed it, or the server sends no single files", async () => {
    const opened = await openWorkspace(megabyte)
    const message = /larger than 1 MiB, compressed\. Remove large files.*--import-max-archive-size/
    const named = await startPartialServer()
    named.commit({ "README.md": "# Start\n\n![](a.png)\n", "a.png": randomBytes(megabyte + 1000) })
    expect((await opened.importContent({ url: named.url, source: "git" })).value.error?.message).toMatch(
      message
    )
    const whole = await startPartialServer(false)
    whole.commit({ "README.md": "# Start\n", "a.png": randomBytes(megabyte + 1000) })
    expect((await opened.importContent({ url: whole.url, source: "git" })).value.error?.message).toMatch(
      message
    )
  })
})
