/** Saving: immediate drafts, saves after a rest, failures, changes of another user, conflicts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { failureOfSave } from "../src/backend/failures.ts"
import { BackendFailure, type SaveRequest, type SaveResult } from "../src/EditorBackend.ts"
import type { Document } from "../src/model.ts"
import { type Draft, MemoryDrafts } from "../src/saving/DraftStore.ts"
import { Saver } from "../src/saving/Saver.ts"
import type { SaveStatus } from "../src/saving/SaveStatus.ts"

const documentOf = (text: string): Document =>
  ({
    object: "document",
    data: {},
    nodes: [
      {
        object: "block",
        type: "paragraph",
        nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
      }
    ]
  }) as unknown as Document

const textOf = (document: Document): string => /"text":"([^"]*)"/.exec(JSON.stringify(document))?.[1] ?? ""

/** A saver with a server that stores one document, and returns the response of the test. */
const makeScene = (
  answer: (request: SaveRequest) => Promise<SaveResult> | undefined = () => undefined,
  restored: ReadonlyArray<Draft> = []
) => {
  const scene = {
    text: "a",
    server: { document: documentOf("a"), version: "1" },
    requests: [] as Array<SaveRequest>,
    statuses: [] as Array<SaveStatus>,
    conflicts: 0,
    drafts: new MemoryDrafts(),
    draft: () => [...scene.drafts.drafts.values()].find(({ name }) => name === "page"),
    type: (text: string) => {
      scene.text = text
      saver.changed()
    }
  }
  const save = async (request: SaveRequest): Promise<SaveResult> => {
    scene.requests.push(request)
    const given = answer(request)
    if (given !== undefined) return given
    if (request.version !== scene.server.version) return { _tag: "Changed", current: scene.server }
    scene.server = { document: request.document, version: String(Number(request.version) + 1) }
    return { _tag: "Saved", version: scene.server.version }
  }
  const saver = new Saver(scene.server, {
    backend: { name: "page", load: () => Promise.resolve(scene.server), save },
    drafts: scene.drafts,
    times: { rest: 3_000, longest: 15_000, draft: 150 },
    now: () => Date.now(),
    document: () => documentOf(scene.text),
    merge: (base, current) => {
      const isChanged = scene.text !== textOf(base)
      if (scene.conflicts === 0) scene.text = isChanged ? `${textOf(current)}+${scene.text}` : textOf(current)
      return Promise.resolve(scene.conflicts)
    },
    isSame: (one, other) => textOf(one) === textOf(other),
    restored,
    onStatus: (status) => scene.statuses.push(status)
  })
  for (const draft of restored) saver.contain(draft)
  return { ...scene, scene, saver }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("a change", () => {
  it("is stored in the browser before it is saved on the server after 3 s of rest", async () => {
    const { scene, saver } = makeScene()
    scene.type("b")
    await vi.advanceTimersByTimeAsync(200)
    expect(textOf(scene.draft()!.document)).toBe("b")
    expect(scene.draft()!.version).toBe("1")
    expect(saver.current).toEqual({ _tag: "Changed", isStored: true })
    await vi.advanceTimersByTimeAsync(2_700)
    expect(scene.requests).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(200)
    expect(textOf(scene.server.document)).toBe("b")
    expect(saver.current).toEqual({ _tag: "Saved" })
    expect(scene.draft()).toBeUndefined()
  })

  it("is saved within 15 s while the writer does not rest", async () => {
    const { scene } = makeScene()
    for (let count = 0; count < 16; count++) {
      scene.type(`b${count}`)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(scene.requests).toHaveLength(1)
    expect(textOf(scene.requests[0]!.document)).toBe("b14")
  })

  it("stays in the browser while the server is away, and is saved when it is back", async () => {
    let isAway = true
    const { scene, saver } = makeScene(() =>
      isAway ? Promise.reject(new BackendFailure("unavailable", "The server is away.")) : undefined
    )
    scene.type("b")
    await vi.advanceTimersByTimeAsync(3_500)
    expect(saver.current).toMatchObject({ _tag: "Failed", reason: "unavailable", isStored: true })
    scene.type("c")
    await vi.advanceTimersByTimeAsync(200)
    expect(textOf(scene.draft()!.document)).toBe("c")
    isAway = false
    await vi.advanceTimersByTimeAsync(70_000)
    expect(textOf(scene.server.document)).toBe("c")
    expect(saver.current).toEqual({ _tag: "Saved" })
  })

  it("stays in the browser after a sign-out, and is saved when the host calls `save`", async () => {
    let isSignedOut = true
    const { scene, saver } = makeScene(() =>
      isSignedOut ? Promise.reject(new BackendFailure("signed-out", "Sign in.")) : undefined
    )
    scene.type("b")
    await vi.advanceTimersByTimeAsync(100_000)
    expect(scene.requests).toHaveLength(1)
    expect(textOf(scene.draft()!.document)).toBe("b")
    isSignedOut = false
    await saver.save()
    expect(textOf(scene.server.document)).toBe("b")
  })

  it("that the server rejects is sent again only after another change", async () => {
    const { scene } = makeScene(({ document }) =>
      textOf(document) === "b" ? Promise.reject(new BackendFailure("rejected", "Too long.")) : undefined
    )
    scene.type("b")
    await vi.advanceTimersByTimeAsync(100_000)
    expect(scene.requests).toHaveLength(1)
    scene.type("c")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(textOf(scene.server.document)).toBe("c")
  })

  it("that the server rejects because of a block is reported with the place and the type of the block", async () => {
    const error = Object.assign(new Error("changes.0.document.document.nodes.0.data.ref must be set."), {
      _tag: "InvalidInput",
      status: 400,
      details: [{ path: "changes.0.document.document.nodes.0.data.ref", message: "must be set" }]
    })
    const { scene, saver } = makeScene(async () => {
      throw await failureOfSave(error)
    })
    scene.type("b")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(saver.current).toMatchObject({
      reason: "rejected",
      message: "data.ref must be set",
      block: { index: 0, type: "paragraph" }
    })
  })

  it("during a save is saved by the next one, on the new version", async () => {
    let finish: (() => void) | undefined
    const { scene, saver } = makeScene(({ version }) =>
      version === "1"
        ? new Promise((resolve) => {
            finish = () => resolve({ _tag: "Saved", version: "2" })
          })
        : undefined
    )
    scene.type("b")
    await vi.advanceTimersByTimeAsync(3_100)
    scene.type("c")
    scene.server = { document: documentOf("b"), version: "2" }
    finish!()
    await vi.advanceTimersByTimeAsync(200)
    expect(scene.draft()).toMatchObject({ version: "2" })
    expect(textOf(scene.draft()!.document)).toBe("c")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(textOf(scene.server.document)).toBe("c")
    expect(saver.current).toEqual({ _tag: "Saved" })
  })
})

describe("a change of another user", () => {
  it("is merged, and the result is saved on its version", async () => {
    const { scene, saver } = makeScene()
    scene.server = { document: documentOf("theirs"), version: "7" }
    scene.type("mine")
    await vi.advanceTimersByTimeAsync(3_500)
    expect(textOf(scene.server.document)).toBe("theirs+mine")
    expect(scene.server.version).toBe("8")
    expect(saver.current).toEqual({ _tag: "Saved" })
  })

  it("that conflicts stops saving until the conflict is resolved; the draft finds it again after a reload", async () => {
    const { scene, saver } = makeScene()
    scene.conflicts = 1
    scene.server = { document: documentOf("theirs"), version: "7" }
    scene.type("mine")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(saver.current).toEqual({ _tag: "Conflict", isStored: true, count: 1 })
    expect(scene.draft()).toMatchObject({ version: "1" })
    scene.type("mine, more")
    await vi.advanceTimersByTimeAsync(60_000)
    expect(scene.requests).toHaveLength(1)
    expect(textOf(scene.server.document)).toBe("theirs")
    expect(textOf(scene.draft()!.document)).toBe("mine, more")
    saver.setConflicts(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(textOf(scene.server.document)).toBe("mine, more")
    expect(scene.requests.at(-1)!.version).toBe("7")
    expect(saver.current).toEqual({ _tag: "Saved" })
  })
})

describe("a save whose response is lost", () => {
  it("is not a change of another user: what was typed since is saved on it without a merge", async () => {
    const { scene } = makeScene(({ document, version }) => {
      if (version !== "1" || textOf(document) !== "b") return undefined
      // The server saves the document, and its response does not arrive.
      scene.server = { document, version: "2" }
      return Promise.reject(new BackendFailure("unavailable", "The connection was reset."))
    })
    scene.conflicts = 1
    scene.type("b")
    await vi.advanceTimersByTimeAsync(3_500)
    scene.type("bc")
    await vi.advanceTimersByTimeAsync(10_000)
    expect(textOf(scene.server.document)).toBe("bc")
    expect(scene.statuses.map(({ _tag }) => _tag)).not.toContain("Conflict")
  })

  it("is recognized after a reload, because the draft has the sent document", async () => {
    const draft = {
      name: "page",
      writer: "0",
      document: documentOf("bc"),
      base: documentOf("a"),
      version: "1"
    }
    const { scene, saver } = makeScene(undefined, [
      { ...draft, unconfirmed: [documentOf("b")], changedAt: 0 }
    ])
    await scene.drafts.put({ ...draft, changedAt: 0 })
    scene.server = { document: documentOf("b"), version: "2" }
    scene.conflicts = 1
    scene.type("bc")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(textOf(scene.server.document)).toBe("bc")
    expect(saver.current).toEqual({ _tag: "Saved" })
    // The restored draft of the earlier visit is deleted, too.
    expect(scene.drafts.drafts.size).toBe(0)
  })
})

describe("a browser whose storage does not respond", () => {
  it("does not prevent that the server saves the text", async () => {
    const { scene } = makeScene()
    scene.drafts.put = () => new Promise(() => undefined)
    scene.type("b")
    await vi.advanceTimersByTimeAsync(5_000)
    expect(textOf(scene.server.document)).toBe("b")
  })
})

describe("an editor of another tab", () => {
  it("deletes only its own draft when it has saved", async () => {
    const { scene } = makeScene()
    const other = { name: "page", writer: "other", base: documentOf("a"), version: "1", changedAt: 0 }
    await scene.drafts.put({ ...other, document: documentOf("text of the other tab") })
    scene.type("b")
    await vi.advanceTimersByTimeAsync(4_000)
    expect(textOf(scene.server.document)).toBe("b")
    expect(textOf(scene.draft()!.document)).toBe("text of the other tab")
  })
})

describe("an editor of a page that is left", () => {
  it("saves immediately, also if the page is closed before the response", async () => {
    const { scene, saver } = makeScene(() => new Promise(() => undefined))
    scene.type("b")
    saver.leave()
    expect(scene.requests.map(({ document }) => textOf(document))).toEqual(["b"])
    await vi.advanceTimersByTimeAsync(0)
    expect(scene.draft()!.unconfirmed!.map(textOf)).toEqual(["b"])
  })

  it("repeats a save that was rejected because of a sign-out when the person returns", async () => {
    let isSignedOut = true
    const { scene, saver } = makeScene(() =>
      isSignedOut ? Promise.reject(new BackendFailure("signed-out", "Sign in.")) : undefined
    )
    scene.type("b")
    await vi.advanceTimersByTimeAsync(5_000)
    isSignedOut = false
    saver.retry()
    await vi.advanceTimersByTimeAsync(0)
    expect(textOf(scene.server.document)).toBe("b")
  })
})

describe("a closed editor", () => {
  it("stores the edits, saves them a last time, and deletes the draft", async () => {
    const { scene, saver } = makeScene()
    scene.type("b")
    const closed = saver.close()
    // The host displays another document in the meantime.
    scene.text = "another document"
    await closed
    expect(scene.requests.map(({ document }) => textOf(document))).toEqual(["b"])
    expect(scene.draft()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(scene.requests).toHaveLength(1)
  })

  it("keeps the draft if the server is away, or another user has saved", async () => {
    for (const reason of ["away", "changed"]) {
      const { scene, saver } = makeScene(() =>
        reason === "away" ? Promise.reject(new BackendFailure("unavailable", "Away.")) : undefined
      )
      if (reason === "changed") scene.server = { document: documentOf("theirs"), version: "7" }
      scene.type("b")
      await saver.close()
      expect(textOf(scene.draft()!.document)).toBe("b")
      await vi.advanceTimersByTimeAsync(60_000)
      expect(scene.requests).toHaveLength(1)
    }
  })
})

describe("a refresh", () => {
  it("displays the document that another user has saved, without a save", async () => {
    const { scene, saver } = makeScene()
    scene.server = { document: documentOf("theirs"), version: "2" }
    await saver.refresh()
    expect([scene.text, saver.version, saver.current._tag]).toEqual(["theirs", "2", "Saved"])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(scene.requests).toEqual([])
    expect(scene.draft()).toBeUndefined()
  })

  it("leaves text that is not saved to its save, which merges both", async () => {
    const { scene, saver } = makeScene()
    scene.type("mine")
    scene.server = { document: documentOf("theirs"), version: "2" }
    await saver.refresh()
    expect(scene.text).toBe("mine")
    await vi.advanceTimersByTimeAsync(3_500)
    expect(textOf(scene.server.document)).toBe("theirs+mine")
  })

  it("retains text that is typed while the document is loaded", async () => {
    const { scene, saver } = makeScene()
    scene.server = { document: documentOf("theirs"), version: "2" }
    const refreshed = saver.refresh()
    scene.type("mine")
    await refreshed
    expect(scene.text).toBe("mine")
    await vi.advanceTimersByTimeAsync(3_500)
    expect(textOf(scene.server.document)).toBe("theirs+mine")
  })

  it("adopts the version of a document that is the same", async () => {
    const { scene, saver } = makeScene()
    scene.server = { document: documentOf("a"), version: "2" }
    await saver.refresh()
    expect(saver.version).toBe("2")
    expect(scene.statuses).toEqual([])
  })
})
