/**
 * Saves a document: as a draft in the browser immediately, and on the server after a rest or, while the writer does not rest, after a
 * longer time. A save is conditional on the version that was edited.
 */
import { BackendFailure, type EditorBackend, type VersionedDocument } from "../EditorBackend.ts"
import type { Document } from "../model.ts"
import { boundSent } from "./boundSent.ts"
import type { ContainedDraft, Draft, DraftStore } from "./DraftStore.ts"
import { holdLock } from "./editorLocks.ts"
import { withContained } from "./restoredDrafts.ts"
import type { SaveStatus, SaveTimes } from "./SaveStatus.ts"

/** The functions that a saver calls. */
export interface SaverOptions {
  readonly backend: EditorBackend
  readonly drafts: DraftStore | undefined
  readonly times: SaveTimes
  /** Returns the time in milliseconds. */
  readonly now: () => number
  /** Returns the document as it is edited. */
  readonly document: () => Document
  /**
   * Merges the document of another user into the edited one. Returns the number of conflicts, which the writer resolves
   * before the next save.
   */
  readonly merge: (base: Document, current: Document) => Promise<number>
  /** Whether two documents have the same content. Their keys can differ. */
  readonly isSame: (one: Document, other: Document) => boolean
  /** Whether the document of the server is one of the sent documents. By default, one of them is the same. */
  readonly isOwn?: (sent: ReadonlyArray<Document>, current: Document) => Promise<boolean>
  /** The drafts that are deleted once the server has the document. */
  readonly restored?: ReadonlyArray<Draft>
  readonly onStatus: (status: SaveStatus) => void
}

const firstRetryMs = 2_000
const longestRetryMs = 60_000
const mostMerges = 5
const longestStoringMs = 1_000

/** Returns the block of a document by its index, for the status of a save. */
const blockOf = ({ nodes }: Document, index: number | undefined) => {
  const type = index === undefined ? undefined : nodes[index]?.type
  return index === undefined || type === undefined ? {} : { block: { index, type } }
}

/** Saves the document of one editor. */
export class Saver {
  private readonly options: SaverOptions
  private base: VersionedDocument
  private status: SaveStatus = { _tag: "Saved" }
  private changedAt: number | undefined
  private isStored = true
  private conflicts = 0
  /** The base before a merge with conflicts: a draft has it until they are resolved, so that they are found again. */
  private conflictBase: VersionedDocument | undefined
  private failures = 0
  private generation = 0
  private saveTimer: ReturnType<typeof setTimeout> | undefined
  private draftTimer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> | undefined
  private writing: Promise<void> = Promise.resolve()
  /** Documents that were sent without a response: if the server has one of them, it is a save of this editor. */
  private unconfirmed: ReadonlyArray<Document> = []
  /** The document of the save that is in progress: the page can be closed before the response. */
  private sent: Document | undefined
  private restored: ReadonlyArray<Draft>
  private contained: ReadonlyArray<ContainedDraft> = []
  private readonly writer = crypto.getRandomValues(new Uint32Array(4)).join("-")
  private readonly releaseLock = holdLock(this.writer)
  private isClosed = false
  /** The document of a closed saver: the editor can display another one. */
  private last: Document | undefined
  private readonly signal = new AbortController().signal

  constructor(base: VersionedDocument, options: SaverOptions) {
    this.base = base
    this.options = options
    this.restored = options.restored ?? []
  }

  private document(): Document {
    return this.last ?? this.options.document()
  }

  get current(): SaveStatus {
    return this.status
  }

  /** The version that the document is edited from. */
  get version(): string {
    return this.base.version
  }

  /** The document that is on the server, as of the last response. */
  get baseDocument(): Document {
    return this.base.document
  }

  /**
   * Notes that the document has the text of a draft. The own draft states it, so that the next editor does not merge both; and
   * the server can have a document that the editor of the draft sent.
   */
  contain(draft: Draft): void {
    this.contained = withContained(this.contained, draft)
    if (!this.restored.some(({ writer }) => writer === draft.writer))
      this.restored = [...this.restored, draft]
    const sent = [...this.unconfirmed, draft.document, ...(draft.unconfirmed ?? [])]
    this.unconfirmed = boundSent(
      sent.filter((one, index) => !sent.slice(0, index).some((other) => this.options.isSame(one, other)))
    )
  }

  /** Notes a change of the document. */
  changed(): void {
    this.generation++
    this.isStored = false
    const now = this.options.now()
    this.changedAt ??= now
    if (this.status._tag === "Saved" || this.status._tag === "Changed")
      this.setStatus({ _tag: "Changed", isStored: false })
    this.draftTimer ??= setTimeout(() => void this.storeDraft(), this.options.times.draft)
    // A save that fails regardless of the text is repeated by its own timer, or when the host calls `save`.
    const isWaiting =
      this.conflicts > 0 || (this.status._tag === "Failed" && this.status.reason !== "rejected")
    if (!isWaiting)
      this.schedule(
        Math.min(this.options.times.rest, Math.max(0, this.changedAt + this.options.times.longest - now))
      )
  }

  /** Sets the number of conflicts that are not resolved. The last one that is resolved starts a save. */
  setConflicts(count: number): void {
    if (count === this.conflicts) return
    this.conflicts = count
    if (count > 0) this.setStatus({ _tag: "Conflict", isStored: this.isStored, count })
    else {
      this.conflictBase = undefined
      this.setStatus({ _tag: "Changed", isStored: this.isStored })
      this.schedule(0)
    }
  }

  /** Saves now. The promise is settled when the server has responded; the status has the result. */
  async save(): Promise<void> {
    clearTimeout(this.saveTimer)
    await this.untilStored()
    while (this.running !== undefined) await this.running
    if (!this.isClosed) await this.send()
  }

  /** Stores the draft. A page that is being left does not wait for an earlier write, whose end it would not see. */
  storeDraft(isLeaving = false): Promise<void> {
    clearTimeout(this.draftTimer)
    this.draftTimer = undefined
    const { drafts, backend } = this.options
    if (this.isStored || drafts === undefined) return this.writing
    const { generation, contained, writer } = this
    const unconfirmed = [...(this.sent === undefined ? [] : [this.sent]), ...this.unconfirmed]
    const { document: base, version } = this.conflictBase ?? this.base
    const draft: Draft = {
      name: backend.name,
      writer,
      document: this.document(),
      base,
      version,
      ...(unconfirmed.length === 0 ? {} : { unconfirmed }),
      ...(contained.length === 0 ? {} : { contains: contained }),
      changedAt: this.options.now()
    }
    const earlier = this.writing
    const stored = isLeaving ? drafts.put(draft) : earlier.then(() => drafts.put(draft))
    this.writing = Promise.all([stored, earlier]).then(
      () => this.setStored(generation),
      () => undefined
    )
    return this.writing
  }

  /** Saves without waiting for the draft, because the page can be closed at any time. */
  leave(): void {
    const isSending = this.running === undefined && this.needsSave
    // The response of this save may not arrive.
    if (isSending) this.sent = this.document()
    if (this.needsSave) this.isStored = false
    void this.storeDraft(true)
    if (!isSending) return
    clearTimeout(this.saveTimer)
    void this.send()
  }

  /** Repeats a save that failed for a reason that may have ended, such as a sign-out. */
  retry(): void {
    if (this.status._tag === "Failed" && this.status.reason !== "rejected") void this.save()
  }

  /**
   * Displays the document that others have saved. It is not displayed while the writer has text that is not saved: the next save merges
   * both. The failure of the request is not displayed: the save that follows finds the change.
   */
  async refresh(): Promise<void> {
    if (!this.canReceive) return
    const { version } = this.base
    const current = await this.options.backend.load(this.signal).catch(() => undefined)
    if (current === undefined || current.version === version) return
    const isOwn =
      this.options.isSame(this.base.document, current.document) || (await this.isStoredBase(current))
    // The writer can have typed, or a save have started, since the request was sent.
    if (!this.canReceive || this.base.version !== version) return
    if (isOwn) this.base = { ...this.base, version: current.version }
    else {
      this.running = this.receive(current).finally(() => {
        this.running = undefined
      })
      await this.running
    }
  }

  private get canReceive(): boolean {
    return (
      !this.isClosed && this.running === undefined && this.changedAt === undefined && this.conflicts === 0
    )
  }

  private async isStoredBase(current: VersionedDocument): Promise<boolean> {
    return (await this.options.isOwn?.([this.base.document], current.document)) === true
  }

  /** Displays the document of another user. Text that is typed in the meantime remains to be saved. */
  private async receive(current: VersionedDocument): Promise<void> {
    const hasNoConflict = await this.mergeWith(current)
    const isUnchanged = this.options.isSame(this.options.document(), current.document)
    if (hasNoConflict && isUnchanged) await this.finish(current, this.generation)
    else if (hasNoConflict && this.changedAt === undefined) this.changed()
  }

  /** Ends all timers, after the draft is stored and saved a last time. */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.last = this.options.document()
    this.isClosed = true
    clearTimeout(this.saveTimer)
    await this.untilStored()
    while (this.running !== undefined) await this.running
    await this.send()
    this.releaseLock()
  }

  /** Stores the draft. A browser whose storage does not respond must not prevent a save. */
  private untilStored(): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, longestStoringMs))
    return Promise.race([this.storeDraft(), timeout])
  }

  private addUnconfirmed(document: Document): void {
    this.unconfirmed = boundSent([document, ...this.unconfirmed])
  }

  private get needsSave(): boolean {
    return this.changedAt !== undefined && this.conflicts === 0
  }

  private async send(): Promise<void> {
    if (!this.needsSave || this.running !== undefined) return
    this.running = this.run().finally(() => {
      this.running = undefined
    })
    await this.running
  }

  private setStored(generation: number): void {
    if (generation !== this.generation) return
    this.isStored = true
    if (this.status._tag !== "Saved") this.setStatus({ ...this.status, isStored: true })
  }

  private setStatus(status: SaveStatus): void {
    this.status = status
    if (!this.isClosed) this.options.onStatus(status)
  }

  private schedule(delay: number): void {
    clearTimeout(this.saveTimer)
    if (!this.isClosed) this.saveTimer = setTimeout(() => void this.save(), delay)
  }

  private async run(): Promise<void> {
    this.setStatus({ _tag: "Saving", isStored: this.isStored })
    let document = this.document()
    try {
      for (let merges = 0; merges < mostMerges; merges++) {
        const { generation } = this
        document = this.document()
        const { version } = this.base
        this.sent = document
        const result = await this.options.backend.save({ document, version, signal: this.signal })
        this.sent = undefined
        if (result._tag === "Saved")
          return await this.finish({ document, version: result.version }, generation)
        const { current } = result
        const isOwn = await this.isOwn(current.document)
        this.unconfirmed = []
        // The server has an earlier save of this editor, whose response was lost.
        if (isOwn) this.base = current
        if (isOwn && this.options.isSame(document, current.document))
          return await this.finish(current, generation)
        if (!isOwn && (this.isClosed || !(await this.mergeWith(current)))) return
      }
      throw new BackendFailure("unavailable", "The document changes faster than it can be merged.")
    } catch (error) {
      await this.fail(error, document)
    }
  }

  private async isOwn(current: Document): Promise<boolean> {
    const { isOwn, isSame } = this.options
    const isAny = this.unconfirmed.some((sent) => isSame(sent, current))
    return isAny || (await isOwn?.(this.unconfirmed, current)) === true
  }

  /** Merges the document of another user. Returns whether the result can be saved. */
  private async mergeWith(current: VersionedDocument): Promise<boolean> {
    const before = this.base
    this.conflicts = await this.options.merge(before.document, current.document)
    this.conflictBase = this.conflicts > 0 ? before : undefined
    this.base = current
    this.generation++
    this.isStored = false
    await this.storeDraft()
    if (this.conflicts === 0) return true
    this.setStatus({ _tag: "Conflict", isStored: this.isStored, count: this.conflicts })
    return false
  }

  private async finish(saved: VersionedDocument, generation: number): Promise<void> {
    this.base = saved
    this.failures = 0
    this.unconfirmed = []
    const restored = this.restored.map(({ writer }) => writer)
    this.restored = []
    if (generation !== this.generation) {
      // The text changed while it was saved: the draft is now based on the new version.
      this.isStored = false
      this.changedAt = this.options.now()
      this.setStatus({ _tag: "Changed", isStored: false })
      this.schedule(this.options.times.rest)
      await this.storeDraft()
      await this.deleteDrafts(restored).catch(() => undefined)
      this.contained = []
      return
    }
    this.contained = []
    this.changedAt = undefined
    this.isStored = true
    this.setStatus({ _tag: "Saved" })
    // The own draft is the last one: without it, the next editor would merge an earlier one with the saved text.
    this.writing = this.writing
      .then(() => this.deleteDrafts(restored))
      .then(() => (generation === this.generation ? this.deleteDrafts([this.writer]) : undefined))
      .catch(() => undefined)
    await this.writing
  }

  private async deleteDrafts(writers: ReadonlyArray<string>): Promise<void> {
    const { drafts, backend } = this.options
    await Promise.all(writers.map((writer) => drafts?.delete(backend.name, writer)))
  }

  private async fail(error: unknown, document: Document): Promise<void> {
    const failure =
      error instanceof BackendFailure
        ? error
        : new BackendFailure("unavailable", error instanceof Error ? error.message : String(error))
    this.failures++
    this.sent = undefined
    if (failure.reason === "unavailable") {
      this.addUnconfirmed(document)
      this.isStored = false
      await this.untilStored()
    }
    this.setStatus({
      _tag: "Failed",
      isStored: this.isStored,
      reason: failure.reason,
      message: failure.message,
      ...blockOf(document, failure.block)
    })
    if (failure.reason === "unavailable")
      this.schedule(Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(this.failures - 1, 10)))
  }
}
