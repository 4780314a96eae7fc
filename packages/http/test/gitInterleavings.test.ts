/** Git synchronization with interleaved imports, exports, edits and pushes of others, and workers that stop at any step. */
import { runs, runsMultiplier } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { type GitWorkers, openGitWorkers } from "./support/gitWorkers.ts"

const initialFiles = {
  "README.md": "# Start\n\nFirst word0g.\n\nSecond word1g.\n",
  "SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n",
  "guide/README.md": "# Guide\n\nFirst word2g.\n\nSecond word3g.\n"
}

const wordPattern = /word\d+[gl]/g
const wordsOf = (texts: Iterable<string>): ReadonlySet<string> =>
  new Set([...texts].flatMap((text) => text.match(wordPattern) ?? []))
const missingFrom = (words: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlyArray<string> =>
  [...words].filter((word) => !others.has(word))

type Edit = {
  readonly side: "git" | "lectern"
  readonly kind: "body" | "add" | "move"
  readonly page: number
  readonly line: number
}
type Step =
  | ({ readonly step: "edit" } & Edit)
  | { readonly step: "start"; readonly operation: "import" | "export" }
  | { readonly step: "work"; readonly workers: number }
  | { readonly step: "stop"; readonly at: number; readonly how: "interrupt" | "pause" }
  | { readonly step: "resume" }

const edit = fc.record({
  step: fc.constant("edit" as const),
  side: fc.constantFrom("git" as const, "lectern" as const),
  kind: fc.constantFrom("body" as const, "body" as const, "add" as const, "move" as const),
  page: fc.nat({ max: 5 }),
  line: fc.nat({ max: 5 })
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: edit },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("start" as const),
      operation: fc.constantFrom("import" as const, "export" as const, "export" as const)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("work" as const), workers: fc.constantFrom(1, 2) })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("stop" as const),
      at: fc.integer({ min: 1, max: 40 }),
      how: fc.constantFrom("interrupt" as const, "pause" as const)
    })
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("resume" as const) }) }
)

/** Follows the words of both sides, which no step removes. */
const follow = (opened: GitWorkers) => {
  const { git, pages, bodyOf, edit: change } = opened
  let count = 4
  const lost: Array<string> = []
  let onBranch: ReadonlySet<string> = new Set()
  let inSpace: ReadonlySet<string> = new Set()
  git.hooks.moved = () => {
    const words = wordsOf(git.latest()?.files.values() ?? [])
    for (const word of missingFrom(onBranch, words)) lost.push(`${word} of the branch`)
    onBranch = words
  }

  const readSpace = async (base?: string) => {
    const texts: Array<string> = []
    for (const { id, title, type } of await pages(base)) {
      texts.push(title, type === "document" ? await bodyOf(id, base) : "")
    }
    return wordsOf(texts)
  }

  const insert = (text: string, line: number, first: number, word: string): string => {
    const parts = text.trim() === "" ? [] : text.trim().split("\n\n")
    parts.splice(Math.max(first, Math.min(line, parts.length)), 0, `Text ${word}.`)
    return `${parts.join("\n\n")}\n`
  }

  const editGit = ({ kind, page, line }: Edit, word: string) => {
    const files = git.latest()?.files ?? new Map<string, string>()
    const paths = [...files.keys()].filter((path) => path.endsWith(".md") && path !== "SUMMARY.md").sort()
    const path = paths[page % paths.length]
    const summary = files.get("SUMMARY.md") ?? "# Table of contents\n\n"
    if (kind === "add" || path === undefined) {
      git.commit({
        [`${word}.md`]: `# Page ${word}\n`,
        "SUMMARY.md": `${summary.trimEnd()}\n* [Page ${word}](${word}.md)\n`
      })
    } else if (kind === "move") {
      git.commit({
        [path]: undefined,
        [`moved-${count}.md`]: files.get(path)!,
        "SUMMARY.md": summary.replace(`(${path})`, `(moved-${count}.md)`)
      })
    } else {
      const text = files.get(path)!
      const heading = text.split("\n\n").findIndex((part) => part.startsWith("# "))
      git.commit({ [path]: insert(text, line, heading + 1, word) })
    }
  }

  const editLectern = async ({ kind, page, line }: Edit, word: string) => {
    const documents = (await pages()).filter(({ type }) => type === "document")
    const id = documents[page % documents.length]?.id
    if (kind === "add" || id === undefined) {
      await change({ operation: "insert_page", title: `Page ${word}` })
    } else if (kind === "move") {
      await change({ operation: "update_page", page: id, at: line % 2 })
    } else {
      const markdown = insert(await bodyOf(id), line, 0, word)
      await change({ operation: "update_page", page: id, document: { markdown } })
    }
  }

  return {
    lost,
    readSpace,
    edit: async (made: Edit) => {
      const word = `word${count++}${made.side === "git" ? "g" : "l"}`
      if (made.side === "git") editGit(made, word)
      else await editLectern(made, word)
    },
    /** Checks that the space has all of its words. */
    check: async () => {
      const words = await readSpace()
      for (const word of missingFrom(inSpace, words)) lost.push(`${word} of the space`)
      inSpace = words
    },
    branchWords: () => onBranch
  }
}

/** A conflict of a merge. */
interface MergeConflict {
  readonly kind: string
  readonly page?: { readonly id: string; readonly title: string }
  readonly field?: string
  readonly primary?: unknown
}

/**
 * Merges the change request of a synchronization: its conflicting pages receive the paragraphs of both sides. Pages whose files were
 * removed, or moved and changed, are retained if the space has changed them.
 */
const mergeRequest = async ({ call, space, bodyOf, edit, pages }: GitWorkers, request: string) => {
  const path = `/spaces/${space}/change-requests/${request}`
  for (let attempts = 0; attempts < 5; attempts++) {
    const { result, conflicts = [] } = await call<{
      result: string
      conflicts?: ReadonlyArray<MergeConflict>
    }>("POST", `${path}/merge`)
    if (result === "merge") return
    const ids = new Set((await pages()).map(({ id }) => id))
    for (const { kind, page, field, primary } of conflicts) {
      if (kind === "deletion") {
        expect(primary).toBe("edited")
        await edit({ operation: "revert_page", page: page!.id }, `${path}/content`)
        continue
      }
      if (kind === "field" && (field === "slug" || field === "title")) {
        await edit({ operation: "update_page", page: page!.id, [field]: primary }, `${path}/content`)
        continue
      }
      expect([kind, field]).toEqual(["body", undefined])
      const id = page!.id
      const proposed = (await bodyOf(id, `${path}/content`)).trim().split("\n\n")
      const current = ids.has(id) ? (await bodyOf(id)).trim().split("\n\n") : []
      const markdown = `${[...current, ...proposed.filter((part) => !current.includes(part))].join("\n\n")}\n`
      const update = { operation: "update_page", page: id, document: { markdown } }
      await edit(update)
      await edit(update, `${path}/content`)
    }
  }
  throw new Error("The change request has conflicts that both sides do not resolve.")
}

/** A case of the property: the sides that have content before the first operation, and the steps. */
interface Case {
  readonly initial: ReadonlyArray<"git" | "lectern">
  readonly steps: ReadonlyArray<Step>
}

const scenario: fc.Arbitrary<Case> = fc.record({
  initial: fc.subarray(["git" as const, "lectern" as const]),
  steps: fc.array(step, { minLength: 2, maxLength: 12 })
})

const runCase = async (opened: GitWorkers, { initial, steps }: Case) => {
  const { git, start, work, workUntil, resumeAll, info, call, space } = opened
  const followed = follow(opened)
  if (initial.includes("git")) git.commit(initialFiles)
  if (initial.includes("lectern")) {
    await opened.edit({ operation: "insert_page", title: "Start", document: { markdown: "Of word900l.\n" } })
  }
  const started: Array<string> = []
  const failed = new Set<string>()
  /** The words that the space had when an export was requested. */
  const requested = new Map<string, ReadonlySet<string>>()
  let worker = 0

  /** Starts an operation with a message that identifies it. */
  const startNamed = async (operation: "import" | "export", input: Record<string, unknown> = {}) => {
    const name = `${operation} ${started.length}`
    if (operation === "export") requested.set(name, await followed.readSpace())
    await start(operation, operation === "export" ? { commitMessage: name, ...input } : input)
    started.push(name)
  }
  /** Notes the results of the last two operations, when all have ended. */
  const noteResults = async () => {
    if (started.length === 0) return
    const { operation, previous, waiting } = await info()
    expect([operation.state, waiting]).not.toEqual(["running", undefined])
    const ended = [[started.at(-1)!, operation.state] as const]
    if (started.length > 1) ended.push([started.at(-2)!, previous?.state ?? "running"])
    for (const [name, state] of ended) {
      // No operation is replaced by another one before it has ended.
      expect([name, state]).not.toEqual([name, "running"])
      if (state === "failure") failed.add(name)
      else expect(missingFrom(requested.get(name) ?? new Set(), followed.branchWords())).toEqual([])
    }
  }
  const settle = async () => {
    await resumeAll()
    opened.advance()
    await work()
    await noteResults()
    await followed.check()
  }

  for (const taken of steps) {
    if (taken.step === "edit") await followed.edit(taken)
    if (taken.step === "start") await startNamed(taken.operation)
    if (taken.step === "work") await work(taken.workers)
    if (taken.step === "stop") await workUntil(taken.at, taken.how, worker++)
    if (taken.step === "resume") await resumeAll()
    await followed.check()
  }
  await settle()

  if ((await opened.pages()).length === 0) await opened.edit({ operation: "insert_page", title: "Start" })
  // Both sides are merged, and conflicts are resolved by the text of both.
  for (let rounds = 0; ; rounds++) {
    if (rounds === 4) throw new Error((await info()).operation.error)
    if (git.latest() !== undefined) {
      await startNamed("import")
      await settle()
      const { changeRequest, operation } = await info()
      expect(operation).toMatchObject({ state: "success" })
      if (changeRequest !== undefined) {
        const request = await call<{ status: string }>(
          "GET",
          `/spaces/${space}/change-requests/${changeRequest}`
        )
        if (request.status === "open") await mergeRequest(opened, changeRequest)
      }
    }
    await startNamed("export")
    await settle()
    if ((await info()).operation.state === "success") break
  }
  expect(followed.lost).toEqual([])
  const inSpace = await followed.readSpace()
  expect(missingFrom(followed.branchWords(), inSpace)).toEqual([])
  expect(missingFrom(inSpace, followed.branchWords())).toEqual([])
  const messages = git.log().flatMap(({ message, committer }) => (committer === "Lectern" ? [message] : []))
  // One export is one commit, and an export that failed has no commit.
  expect(messages).toEqual([...new Set(messages)])
  expect(messages.filter((message) => failed.has(message))).toEqual([])
}

/** Edits of both sides before an export: at least one of each. */
const editsOf = (side: "git" | "lectern") =>
  fc.array(
    fc.record({
      step: fc.constant("edit" as const),
      side: fc.constant(side),
      kind: fc.constantFrom("body" as const, "add" as const),
      page: fc.nat({ max: 5 }),
      line: fc.nat({ max: 5 })
    }),
    { minLength: 1, maxLength: 2 }
  )
const exportRound = fc.record({ git: editsOf("git"), lectern: editsOf("lectern") })

/** Exports after edits of both sides, without an import: an export that does not merge the branch loses its text. */
const runExports = async (
  opened: GitWorkers,
  rounds: ReadonlyArray<{ readonly git: ReadonlyArray<Edit>; readonly lectern: ReadonlyArray<Edit> }>
) => {
  const { git, start, work, info, call, space } = opened
  const followed = follow(opened)
  git.commit(initialFiles)
  await start("import")
  await work()
  for (const { git: ofGit, lectern } of rounds) {
    for (const made of [...ofGit, ...lectern]) await followed.edit(made)
    for (let attempts = 0; ; attempts++) {
      await start("export")
      await work()
      await followed.check()
      const { operation, changeRequest } = await info()
      if (operation.state === "success") break
      expect(attempts).toBeLessThan(4)
      const request = await call<{ status: string }>(
        "GET",
        `/spaces/${space}/change-requests/${changeRequest}`
      )
      if (request.status === "open") await mergeRequest(opened, changeRequest!)
    }
    const inSpace = await followed.readSpace()
    expect(missingFrom(followed.branchWords(), inSpace)).toEqual([])
    expect(missingFrom(inSpace, followed.branchWords())).toEqual([])
    expect(followed.lost).toEqual([])
  }
}

describe("Git synchronization with interleaved operations", () => {
  for (const [index, { name, make }] of ruleStores.entries()) {
    it(`retains the text of both sides, and pushes one commit per export, on ${name}`, {
      timeout: 300_000 * Math.max(1, runsMultiplier)
    }, async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async (generated) => {
          const opened = await openGitWorkers(await make(), index === 0 ? 1 : 2)
          try {
            await runCase(opened, generated)
          } finally {
            await opened.close()
          }
        }),
        runs(index === 0 ? 30 : 6)
      )
    })
  }

  it(
    "an export merges the commits of others first, so that both sides have all text after it",
    {
      timeout: 300_000 * Math.max(1, runsMultiplier)
    },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(exportRound, { minLength: 1, maxLength: 3 }), async (rounds) => {
          const opened = await openGitWorkers(await memory.make())
          try {
            await runExports(opened, rounds)
          } finally {
            await opened.close()
          }
        }),
        runs(10)
      )
  )
})
