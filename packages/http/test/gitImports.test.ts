/** Imports of Git repositories from a Git server. */
import { randomBytes } from "node:crypto"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { ImportLimits } from "@lectern/core"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { git, startGitServer } from "./support/gitServer.ts"
import { startImportWorkspace, titleTree } from "./support/imports.ts"
import { comparable, repositoriesOf } from "./support/repositories.ts"
import { pixelImage } from "./support/website.ts"

/** Markdown that is long enough for Git to store its versions as deltas. */
const longText = (version: string) =>
  `# Long\n\n${Array.from({ length: 400 }, (_, index) => `Line ${index} of the page.`).join("\n")}\n\n${version}\n`

describe("an import of a Git repository", () => {
  it("has the files of its default branch, and its commit", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { exportFiles } = await repositoriesOf(opened)
    const server = await startGitServer()
    const files = {
      "README.md": "# Start\n\nTo [the guide](guide/setup.md).\n\n![Dot](.gitbook/assets/dot.png)\n",
      "SUMMARY.md": "* [Start](README.md)\n* [Long](long.md)\n* [Set up](guide/setup.md)\n",
      "guide/setup.md": "# Set up\n",
      ".gitbook/assets/dot.png": pixelImage(1)
    }
    server.commit({ ...files, "long.md": longText("first") })
    const oid = server.commit({ "long.md": longText("second") }, "Update the long page")
    // One packfile, in which similar objects are deltas.
    git(server.bare, "repack", "-adf", "--depth=50")
    const { status, value } = await opened.importContent({ url: server.url, source: "git" })
    expect([status, value.error]).toEqual([201, undefined])
    expect(value).toMatchObject({ importedResources: 4, totalResources: 4 })
    expect(titleTree(await opened.pages())).toEqual(["Start", "Long", "Set up"])
    expect((await opened.page("long")).markdown).toContain("second")
    const revision = await opened.call("GET", `/spaces/${opened.space}/revisions/${value.revision}`)
    expect(revision).toMatchObject({
      git: { oid, message: "Update the long page", createdByService: false, ref: "refs/heads/main" }
    })
    const exported = comparable(await exportFiles(`/spaces/${opened.space}/content`))
    expect(exported).toEqual(comparable({ ...files, "long.md": longText("second") }))
    expect(server.paths).toEqual([
      "GET /docs.git/info/refs?service=git-upload-pack",
      "POST /docs.git/git-upload-pack"
    ])
  })

  it("names the limit of the host and the remedy when the commit is too large", async () => {
    const limits = { archivePages: 100, archiveBytes: 1024 * 1024, websitePages: 10 }
    const services = Layer.succeed(ImportLimits, limits)
    const opened = await startImportWorkspace(await memory.make(), undefined, undefined, services)
    const server = await startGitServer()
    server.commit({ "README.md": "# Start\n", "random.bin": randomBytes(1024 * 1024 + 1000) })
    const { status, value } = await opened.importContent({ url: server.url, source: "git" })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(value.error?.message).toMatch(/larger than 1 MiB, compressed\. Remove large files/)
    expect(value.error?.message).toContain("--import-max-archive-size")
    server.commit({ "README.md": "# Start\n", "random.bin": randomBytes(1024 * 1000) })
    expect((await opened.importContent({ url: server.url, source: "git" })).status).toBe(201)
  })

  it("has the files of the branch or the tag in the fragment of the URL", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const server = await startGitServer()
    server.commit({ "README.md": "# First\n" })
    git(server.work, "tag", "--annotate", "v1", "--message", "The first version")
    git(server.work, "push", "--quiet", "origin", "v1")
    server.commit({ "README.md": "# Second\n" })
    expect(
      (await opened.importContent({ url: `${server.url}#v1`, source: "git" })).value.error
    ).toBeUndefined()
    expect(titleTree(await opened.pages())).toEqual(["First"])
    await opened.importContent({ url: `${server.url}#main`, source: "git" })
    expect(titleTree(await opened.pages())).toEqual(["First", "Second"])
    const missing = await opened.importContent({ url: `${server.url}#none`, source: "git" })
    expect(missing.status).toBe(400)
    expect(missing.value.error?.message).toBe(
      "url points to a Git repository without the branch or tag none."
    )
  })

  it("reports symbolic links, and rejects credentials, empty repositories and other websites", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const server = await startGitServer()
    const importUrl = (url: string) => opened.importContent({ url, source: "git" })
    const empty = await importUrl(server.url)
    expect(empty.value.error?.message).toBe("url points to an empty Git repository.")
    const other = await importUrl(server.url.replace("docs.git", ""))
    expect([other.status, other.value.error?.message]).toEqual([502, "The server responded with status 404."])
    const secret = await importUrl(server.url.replace("//", "//user:secret@"))
    expect(secret.status).toBe(400)
    expect(JSON.stringify(secret.value)).not.toContain("secret@")
    server.writeFiles({ "README.md": "# Start\n" })
    symlinkSync("README.md", join(server.work, "link.md"))
    server.commit({})
    expect((await importUrl(server.url)).value).toMatchObject({ importedResources: 1, totalResources: 2 })
  })
})
