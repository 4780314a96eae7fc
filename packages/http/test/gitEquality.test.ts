/** Git synchronization makes both sides equal after any changes of both. */
import { runs, runsMultiplier } from "@lectern/harness"
import * as fc from "fast-check"
import { unzipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { findings } from "./support/doctorFindings.ts"
import { type GitWorkers, openGitWorkers } from "./support/gitWorkers.ts"
import { comparable } from "./support/repositories.ts"

const files = {
  "README.md": "# Start\n\nTo [setup](guide/setup.md).\n",
  "SUMMARY.md":
    "# Table of contents\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Set up](guide/setup.md)\n",
  "guide/README.md": "# Guide\n\nFirst line.\n\nSecond line.\n\nThird line.\n",
  "guide/setup.md": "# Set up\n",
  "src/code.ts": "export {}\n"
}

const change = fc.record({
  side: fc.constantFrom("git", "lectern"),
  kind: fc.constantFrom("body", "title", "add", "remove", "move"),
  page: fc.nat({ max: 5 }),
  next: fc.constantFrom("nothing", "import", "export")
})
type Change = typeof change extends fc.Arbitrary<infer A> ? A : never

const changeGit = ({ git }: GitWorkers, { kind, page }: Change, word: string) => {
  const current = git.latest()!.files
  const paths = [...current.keys()].filter((path) => path.endsWith(".md") && path !== "SUMMARY.md").sort()
  const path = paths[page % paths.length]!
  if (kind === "add") git.commit({ [`${word}.md`]: `# Page ${word}\n` })
  else if (kind === "move") git.commit({ [path]: undefined, [`${word}.md`]: current.get(path) })
  else if (kind === "remove" && paths.length > 2) git.commit({ [path]: undefined })
  else if (kind === "title") git.commit({ [path]: `# Title ${word}\n\nText.\n` })
  else git.commit({ [path]: `# Guide\n\n${word}\n` })
}

const changeLectern = async ({ pages, edit }: GitWorkers, { kind, page }: Change, word: string) => {
  const documents = (await pages()).filter(({ type }) => type === "document")
  const { id } = documents[page % documents.length]!
  if (kind === "add") await edit({ operation: "insert_page", title: `Page ${word}`, into: id })
  else if (kind === "remove" && documents.length > 2) await edit({ operation: "delete_page", page: id })
  else if (kind === "title") await edit({ operation: "update_page", page: id, title: `Title ${word}` })
  else if (kind === "move") await edit({ operation: "update_page", page: id, at: 0 })
  else await edit({ operation: "update_page", page: id, document: { markdown: `${word}\n` } })
}

/** Synchronizes a space after each change as requested, then completely, and compares both sides. */
const checkChanges = async (opened: GitWorkers, changes: ReadonlyArray<Change>) => {
  const { git, start, work, info, call, space, server } = opened
  const run = async (operation: "import" | "export", input: Record<string, unknown> = {}) => {
    await start(operation, input)
    await work()
    return await info()
  }
  const revision = async () => (await call<{ revision: string }>("GET", `/spaces/${space}`)).revision
  git.commit(files)
  await run("import")
  for (const [index, made] of changes.entries()) {
    // Words are unique, so that both sides never change to the same text.
    if (made.side === "git") changeGit(opened, made, `word${index}`)
    else await changeLectern(opened, made, `word${index}`)
    if (made.next !== "nothing") await run(made.next)
  }
  // Conflicts are resolved in favor of Lectern.
  const { changeRequest } = await run("import")
  if (changeRequest !== undefined) {
    await call("PATCH", `/spaces/${space}/change-requests/${changeRequest}`, { status: "archived" })
  }
  expect(await run("export")).toMatchObject({ operation: { state: "success" } })

  const { "src/code.ts": _, ...repository } = Object.fromEntries(git.latest()!.files)
  const { url } = await call<{ url: string }>("GET", `/spaces/${space}/content/export`)
  const { pathname, search } = new URL(url)
  const archive = await (await server.fetch(pathname + search)).arrayBuffer()
  expect(comparable(unzipSync(new Uint8Array(archive)))).toEqual(comparable(repository))
  const synchronized = await revision()
  expect(await run("import", { force: true })).toMatchObject({ operation: { state: "success" } })
  expect(await revision()).toBe(synchronized)
  expect(await server.core.runtime.runPromise(findings)).toEqual([])
}

describe("Git synchronization", () => {
  it("changes nothing by a forced import, if pages were moved back and forth", async () => {
    const moved = { side: "lectern", kind: "move", page: 4, next: "nothing" } as const
    await checkChanges(await openGitWorkers(await memory.make()), [
      moved,
      moved,
      { side: "git", kind: "body", page: 0, next: "nothing" }
    ])
  })

  for (const [index, { name, make }] of ruleStores.entries()) {
    it(`ends with equal content on both sides after any changes of both, on ${name}`, {
      timeout: 300_000 * Math.max(1, runsMultiplier)
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
          const opened = await openGitWorkers(await make())
          try {
            await checkChanges(opened, changes)
          } finally {
            await opened.close()
          }
        }),
        runs(index === 0 ? 30 : 4)
      )
    })
  }
})
