/** Creates editors: `createEditor(element, { document, backend })`. */
import { type Command, EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import { makeApiSources } from "./ApiSources.ts"
import { type EditorContext, makeResolver } from "./context.ts"
import { fromDocument, toDocument } from "./convert.ts"
import { displayDocument } from "./displayDocument.ts"
import type { CommentPlace, Editor, EditorOptions } from "./Editor.ts"
import type { EditMode, EditorBackend, VersionedDocument } from "./EditorBackend.ts"
import { en } from "./messages/en.ts"
import type { Messages } from "./messages/Messages.ts"
import { type Document, emptyDocument } from "./model.ts"
import { CommentsControl } from "./plugins/CommentsControl.ts"
import { compareWith, hasChanges } from "./plugins/changes.ts"
import { showNextConflict } from "./plugins/conflicts.ts"
import { MarkdownView } from "./plugins/MarkdownView.ts"
import { mergeInto } from "./plugins/mergeInto.ts"
import { makePlugins } from "./plugins/plugins.ts"
import { type Draft, type DraftStore, IndexedDrafts } from "./saving/DraftStore.ts"
import { noteClosing, untilClosed } from "./saving/editorLocks.ts"
import { findDrafts, restoreLater } from "./saving/findDrafts.ts"
import { divideDrafts } from "./saving/restoredDrafts.ts"
import { Saver } from "./saving/Saver.ts"
import { defaultTimes, type SaveStatus } from "./saving/SaveStatus.ts"
import { sameContent } from "./saving/sameContent.ts"
import { watchPage } from "./saving/watchPage.ts"
import { TrackedPositions } from "./TrackedPositions.ts"
import { adoptStyles } from "./ui/adoptStyles.ts"
import { type OutlineEntry, outlineOf, wordCountOf } from "./ui/documentInfo.ts"
import { element, uniqueId } from "./ui/dom.ts"
import { showEditMode } from "./ui/LiveEditNotice.ts"
import { type AnnouncedEditor, editingMs, watchPresence } from "./ui/presence.ts"
import { StatusBar } from "./ui/StatusBar.ts"
import { makeNodeViews } from "./views/nodeViews.ts"

/** An editor with its parts. */
class LecternEditor implements Editor {
  readonly element: HTMLElement
  readonly view: EditorView
  readonly ready: Promise<void>
  private readonly options: EditorOptions
  private readonly context: EditorContext
  private readonly closing = new AbortController()
  private readonly live: HTMLElement
  private readonly statusBar: StatusBar | undefined
  private readonly commenting: CommentsControl | undefined
  private readonly markdownView: MarkdownView
  private changedAt = Number.NEGATIVE_INFINITY
  private readonly tracked = new TrackedPositions()
  private saver: Saver | undefined
  private announced: AnnouncedEditor | undefined
  private isComparing = false
  private isReadOnly: boolean

  constructor(parent: HTMLElement, options: EditorOptions) {
    this.options = options
    this.isReadOnly =
      options.isReadOnly === true || (options.backend !== undefined && options.document === undefined)
    const messages = options.messages ?? en
    const { signal } = this.closing
    const language = options.language ?? (document.documentElement.lang || "en")
    this.live = element("div", { class: "editor-hidden-text", "aria-live": "polite", role: "status" })
    const overlay = element("div", { class: "editor-overlay" })
    const frame = element("div", { class: "editor-frame" })
    this.element = element("div", { class: "lectern-editor" }, frame, overlay, this.live)
    if (options.adoptsStyles !== false) adoptStyles(parent.ownerDocument)
    parent.append(this.element)
    this.context = {
      messages,
      language,
      backend: options.backend,
      root: this.element,
      overlay,
      signal,
      announce: (text) => {
        this.live.textContent = text
      },
      resolve: makeResolver(options.backend, signal),
      apis: makeApiSources(options.backend, options.apis, signal),
      view: () => this.view,
      display: (document, into) => displayDocument(this.context, document, into),
      save: () => this.save(),
      ...(options.backend?.comments === undefined
        ? {}
        : { comment: (position?: number) => this.commenting?.start(position) }),
      trackPosition: this.tracked.track
    }
    this.view = this.createView(frame, messages)
    this.markdownView = new MarkdownView(frame, this.context)
    this.statusBar =
      options.backend === undefined
        ? undefined
        : new StatusBar(this.element, this.context, {
            save: () => void this.save(),
            nextConflict: () => void this.showConflict(),
            toggleMarkdown: () => void this.toggleMarkdown(),
            wordCount: () => this.wordCount(),
            ...(options.backend.loadBase === undefined
              ? {}
              : { toggleChanges: () => void this.toggleChanges() })
          })
    this.commenting =
      options.backend?.comments === undefined
        ? undefined
        : new CommentsControl(this.element, this.context, options.comments)
    this.ready = this.start()
    this.ready.catch(() => undefined)
  }

  private createView(frame: HTMLElement, messages: Messages): EditorView {
    const { context } = this
    return new EditorView(
      { mount: frame.appendChild(element("div", { class: "content editor-content" })) },
      {
        state: this.stateOf(this.options.document ?? emptyDocument),
        editable: () => !this.isReadOnly,
        attributes: {
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": this.options.label ?? messages.editor,
          translate: "no",
          spellcheck: "true",
          id: uniqueId("text")
        },
        nodeViews: makeNodeViews(context),
        // The line with the status covers the end of the text, and bars of the host can cover its start.
        scrollThreshold: { top: 60, right: 0, bottom: 60, left: 0 },
        scrollMargin: { top: 72, right: 5, bottom: 72, left: 5 },
        dispatchTransaction: (transaction) => {
          const { view } = this
          const state = view.state.apply(transaction)
          this.tracked.map(transaction.mapping)
          view.updateState(state)
          if (transaction.docChanged) this.statusBar?.countWords()
          if (!transaction.docChanged || transaction.getMeta("lectern-load") === true) return
          this.changedAt = performance.now()
          this.announced?.changed()
          this.saver?.changed()
          this.options.onChange?.(this)
        }
      }
    )
  }

  private stateOf(document: Document): EditorState {
    const plugins = makePlugins(this.context, {
      onConflicts: (count) => this.saver?.setConflicts(count),
      onSelectComments: (ids) => this.commenting?.select(ids),
      onComments: () => this.commenting?.changed()
    })
    return EditorState.create({ doc: fromDocument(document), plugins: [...plugins] })
  }

  private get drafts(): DraftStore | undefined {
    if (this.options.drafts === null) return undefined
    this.ownDrafts ??=
      this.options.drafts ?? (typeof indexedDB === "undefined" ? undefined : new IndexedDrafts())
    return this.ownDrafts
  }
  private ownDrafts: DraftStore | undefined

  /** Returns how the document can be edited. Unknown while the server is away, when only a draft is displayed. */
  private async findEditMode(backend: EditorBackend): Promise<EditMode> {
    const mode = (await backend.editMode?.(this.closing.signal).catch(() => undefined)) ?? "draft"
    return mode === "live" && this.options.isLiveEditConfirmed === true ? "draft" : mode
  }

  /** Loads the document, and restores the draft that was not saved. */
  private async start(): Promise<void> {
    const { backend, document, version } = this.options
    if (backend === undefined) return
    await untilClosed(backend.name)
    const drafts = await findDrafts(this.drafts, backend.name)
    const [draft, ...earlier] = divideDrafts(drafts).restored
    const editMode = this.findEditMode(backend)
    let loaded: VersionedDocument | undefined
    try {
      loaded =
        document !== undefined && version !== undefined
          ? { document, version }
          : await backend.load(this.closing.signal)
    } catch (error) {
      if (draft === undefined) throw error
    }
    const mode = await editMode
    if (this.closing.signal.aborted) return
    // A draft of an earlier version is saved as a change of that version, which merges it.
    const base = draft === undefined ? loaded! : { document: draft.base, version: draft.version }
    this.saver = this.makeSaver(base.version === loaded?.version ? loaded : base, backend, drafts)
    if (draft !== undefined) this.saver.contain(draft)
    this.isReadOnly = this.options.isReadOnly === true || mode !== "draft"
    if (draft !== undefined || document === undefined) this.show(draft?.document ?? loaded!.document)
    this.view.setProps({ editable: () => !this.isReadOnly })
    this.statusBar?.show(this.saver.current)
    const add = async (one: Draft): Promise<void> => {
      if ((await this.merge(one.base, one.document)) === 0) this.saver?.contain(one)
    }
    const restore = async (): Promise<void> => {
      if (draft === undefined) return
      for (const one of earlier) await add(one)
      this.saver?.changed()
    }
    if (mode === "draft") await restore()
    if (mode === "draft" && !this.isReadOnly)
      void restoreLater(this.drafts, backend.name, drafts, this.closing.signal, async (one) => {
        await add(one)
        this.saver?.changed()
        this.notify(this.context.messages.restored)
      })
    if (draft !== undefined) this.notify(this.context.messages.restored)
    showEditMode(this.context, mode, () => {
      this.setReadOnly(this.options.isReadOnly === true)
      this.view.focus()
      void restore()
    })
    void this.commenting?.load()
    this.announced = watchPresence(
      this.context,
      () => performance.now() - this.changedAt < editingMs,
      (names) => this.statusBar?.showOthers(names)
    )
    this.watchPage()
  }

  /** Saves when the page is left, and confirms that it is closed while the browser does not have the text. */
  private watchPage(): void {
    watchPage(this.closing.signal, {
      leave: () => {
        this.markdownView.flush()
        this.saver?.leave()
      },
      retry: () => this.saver?.retry(),
      isStored: () => {
        this.markdownView.flush()
        void this.saver?.storeDraft(true)
        const status = this.status()
        return status._tag === "Saved" || status.isStored
      }
    })
  }

  private makeSaver(
    base: VersionedDocument,
    backend: EditorBackend,
    restored: ReadonlyArray<Draft> = []
  ): Saver {
    return new Saver(base, {
      backend,
      drafts: this.drafts,
      times: { ...defaultTimes, ...this.options.times },
      now: () => performance.timeOrigin + performance.now(),
      document: () => this.document(),
      merge: (before, current) => this.merge(before, current),
      ...sameContent,
      restored,
      onStatus: (status) => {
        this.statusBar?.show(status)
        this.options.onStatus?.(status)
      }
    })
  }

  private async merge(base: Document, current: Document): Promise<number> {
    const count = await mergeInto(this.view, this.markdownView, base, current)
    this.notify(count > 0 ? this.context.messages.conflicts(count) : this.context.messages.merged)
    return count
  }

  private notify(text: string): void {
    this.context.announce(text)
    this.statusBar?.notify(text)
  }

  private show(document: Document): void {
    this.view.updateState(this.stateOf(document))
    this.statusBar?.countWords()
  }

  document(): Document {
    return toDocument(this.view.state.doc)
  }

  setDocument(document: Document, version?: string): void {
    const { backend } = this.options
    if (backend !== undefined && version !== undefined) {
      // The earlier text is stored and saved as a change of its version.
      void this.saver?.close()
      this.saver = this.makeSaver({ document, version }, backend)
      this.statusBar?.show(this.saver.current)
    }
    this.show(document)
    if (version === undefined) this.saver?.changed()
  }

  private async showConflict(): Promise<void> {
    if (this.markdownView.isOpen) await this.markdownView.toggle()
    showNextConflict(this.view)
  }

  async save(): Promise<void> {
    this.markdownView.flush()
    await this.saver?.save()
  }

  async refresh(): Promise<void> {
    this.markdownView.flush()
    await this.saver?.refresh()
  }
  status(): SaveStatus {
    return this.saver?.current ?? { _tag: "Saved" }
  }

  run(command: Command): boolean {
    return command(this.view.state, this.view.dispatch, this.view)
  }

  outline(): ReadonlyArray<OutlineEntry> {
    return outlineOf(this.view.state.doc)
  }

  wordCount(): number {
    return wordCountOf(this.view.state.doc, this.context.language)
  }

  focus(): void {
    this.view.focus()
  }

  async toggleChanges(): Promise<void> {
    this.isComparing = !this.isComparing
    this.statusBar?.showChanging(this.isComparing)
    if (!this.isComparing) return this.showChanges(null)
    try {
      const base = await this.options.backend?.loadBase?.(this.closing.signal)
      if (base === undefined || !this.isComparing || this.closing.signal.aborted) return
      this.showChanges(base)
      if (!hasChanges(this.view.state)) this.statusBar?.notify(this.context.messages.noChanges)
    } catch (error) {
      this.isComparing = false
      this.statusBar?.showChanging(false)
      this.statusBar?.notify(error instanceof Error ? error.message : this.context.messages.offline)
    }
  }

  showChanges(base: Document | null): void {
    this.view.dispatch(compareWith(this.view.state, base === null ? null : fromDocument(base)))
  }

  toggleMarkdown(): Promise<void> {
    return this.markdownView.toggle()
  }

  toggleComments(): void {
    this.commenting?.toggle()
  }

  async refreshComments(): Promise<void> {
    await this.commenting?.load()
  }

  startComment(): void {
    this.commenting?.start()
  }

  comments(): ReadonlyArray<CommentPlace> {
    return this.commenting?.places() ?? []
  }

  showComment(id: string | undefined): boolean {
    return this.commenting?.show(id) ?? false
  }

  setReadOnly(isReadOnly: boolean): void {
    this.isReadOnly = isReadOnly
    this.view.setProps({ editable: () => !this.isReadOnly })
  }

  async destroy(): Promise<void> {
    if (this.closing.signal.aborted) return
    this.markdownView.flush()
    const stored = this.saver?.close()
    if (stored !== undefined && this.options.backend !== undefined)
      noteClosing(this.options.backend.name, stored)
    this.closing.abort()
    this.view.destroy()
    this.element.remove()
    await stored
  }
}

/**
 * Creates an editor in an element.
 *
 * @example
 * const editor = createEditor(document.querySelector("#page"), { backend })
 * await editor.ready
 */
export const createEditor = (parent: HTMLElement, options: EditorOptions = {}): Editor =>
  new LecternEditor(parent, options)
