/** Visits of one writer that end while text is saved: nothing is lost, and no own text is a change of another person. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { SaveRequest, SaveResult, VersionedDocument } from "../src/EditorBackend.ts"
import type { Document } from "../src/model.ts"
import { alignBlocks } from "../src/saving/alignBlocks.ts"
import { type DraftStore, MemoryDrafts } from "../src/saving/DraftStore.ts"
import { divideDrafts } from "../src/saving/restoredDrafts.ts"
import { Saver } from "../src/saving/Saver.ts"

/** A document of paragraphs, as far as the saver reads it. */
const documentOf = (paragraphs: ReadonlyArray<string>): Document => ({ paragraphs }) as unknown as Document
const paragraphsOf = (document: Document): ReadonlyArray<string> =>
  (document as unknown as { readonly paragraphs: ReadonlyArray<string> }).paragraphs
const isSame = (one: Document, other: Document): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Merges paragraphs as the editor merges blocks: both versions of a conflict remain, the own one in the text. */
const mergeParagraphs = (base: Document, mine: Document, theirs: Document) => {
  const parts = alignBlocks(paragraphsOf(base), paragraphsOf(mine), paragraphsOf(theirs), (text) => text)
  let conflicts = 0
  const merged = parts.flatMap((part) => {
    const [before, own, other] = [part.base, part.mine, part.theirs].map((texts) => texts.join())
    if (own === other || before === other) return part.mine
    if (before === own) return part.theirs
    conflicts++
    return part.mine
  })
  return { merged, conflicts }
}

/** How long the browser needs to store a draft, in milliseconds. */
const storingMs = 5

/** How a visit of the page ends: after a save, by leaving, by leaving during a save, or by a browser that stops. */
const ends = ["saved", "left", "leftDuringSave", "stopped", "stoppedDuringSave"] as const

/** The fates of the requests of a page that is left: their responses do not arrive. */
const outcomes = ["applied", "appliedAfterLoad", "appliedAfterTyping", "lost"] as const

interface Visit {
  readonly typed: number
  /** Whether the browser has stored the draft, or stores it while the writer types more. */
  readonly draft: "none" | "stored" | "storing"
  readonly end: (typeof ends)[number]
  readonly outcome: (typeof outcomes)[number]
}

class World {
  server: VersionedDocument = { document: documentOf(["Base"]), version: "1" }
  readonly drafts = new MemoryDrafts()
  readonly expected = ["Base"]
  conflicts = 0
  private time = 0
  private readonly late: Record<"appliedAfterLoad" | "appliedAfterTyping", Array<() => void>> = {
    appliedAfterLoad: [],
    appliedAfterTyping: []
  }

  private apply({ document, version }: SaveRequest): SaveResult {
    if (version !== this.server.version) return { _tag: "Changed", current: this.server }
    this.server = { document, version: String(Number(version) + 1) }
    return { _tag: "Saved", version: this.server.version }
  }

  private applyLate(kind: "appliedAfterLoad" | "appliedAfterTyping"): void {
    for (const run of this.late[kind].splice(0)) run()
  }

  /** Opens the page as the editor does, types paragraphs at its end, and leaves. */
  async visit({ typed, draft: stored, end, outcome }: Visit): Promise<void> {
    const drafts = [...this.drafts.drafts.values()].sort((one, other) => other.changedAt - one.changedAt)
    const loaded = this.server
    const [draft, ...earlier] = divideDrafts(drafts).restored
    let document = draft?.document ?? loaded.document
    let answers = true
    let isOver = false
    // A browser commits the writes that it received before the page ends, and the page does not receive the result.
    const store: DraftStore = {
      list: (name) => this.drafts.list(name),
      put: async (one) => {
        if (isOver) return
        await Promise.all([this.drafts.put(one), new Promise((resolve) => setTimeout(resolve, storingMs))])
      },
      delete: (name, writer) => (isOver ? Promise.resolve() : this.drafts.delete(name, writer))
    }
    const merge = (base: Document, theirs: Document): number => {
      const { merged, conflicts } = mergeParagraphs(base, document, theirs)
      document = documentOf(merged)
      this.conflicts += conflicts
      return conflicts
    }
    const save = (request: SaveRequest): Promise<SaveResult> => {
      if (answers) return Promise.resolve(this.apply(request))
      if (outcome === "applied") this.apply(request)
      else if (outcome !== "lost") this.late[outcome].push(() => this.apply(request))
      return new Promise(() => undefined)
    }
    const saver = new Saver(draft === undefined ? loaded : { document: draft.base, version: draft.version }, {
      backend: { name: "page", load: () => Promise.resolve(loaded), save },
      drafts: store,
      times: { rest: 3_000, longest: 15_000, draft: 150 },
      now: () => this.time++,
      document: () => document,
      merge: (base, theirs) => Promise.resolve(merge(base, theirs)),
      isSame,
      restored: drafts,
      onStatus: () => undefined
    })
    if (draft !== undefined) saver.contain(draft)
    for (const one of earlier) if (merge(one.base, one.document) === 0) saver.contain(one)
    if (draft !== undefined) saver.changed()
    this.applyLate("appliedAfterLoad")
    const type = () => {
      const text = `Text ${this.expected.length}`
      this.expected.push(text)
      document = documentOf([...paragraphsOf(document), text])
      saver.changed()
    }
    for (let count = 0; count < typed; count++) type()
    this.applyLate("appliedAfterTyping")
    if (stored === "storing") {
      void saver.storeDraft()
      type()
    }
    if (stored === "stored" || end === "stopped") {
      void saver.storeDraft()
      await vi.advanceTimersByTimeAsync(2 * storingMs)
    }
    answers = end === "saved"
    if (end === "saved" || end.endsWith("DuringSave")) {
      void saver.save()
      await vi.advanceTimersByTimeAsync(10 * storingMs)
    }
    if (end === "leftDuringSave") type()
    if (end.startsWith("left")) saver.leave()
    isOver = true
    await vi.advanceTimersByTimeAsync(0)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const visitArbitrary: fc.Arbitrary<Visit> = fc.record({
  typed: fc.integer({ min: 0, max: 2 }),
  draft: fc.constantFrom("none", "stored", "storing"),
  end: fc.constantFrom(...ends),
  outcome: fc.constantFrom(...outcomes)
})

it("the text of a writer reaches the server without a conflict, however visits end and saves arrive", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visitArbitrary, { minLength: 1, maxLength: 8 }), async (visits) => {
      vi.clearAllTimers()
      const world = new World()
      for (const visit of visits) await world.visit(visit)
      for (let last = 0; last < 2; last++)
        await world.visit({ typed: 0, draft: "stored", end: "saved", outcome: "applied" })
      expect([world.conflicts, paragraphsOf(world.server.document)]).toEqual([0, world.expected])
      expect(world.drafts.drafts.size).toBe(0)
    }),
    runs(300)
  )
})
