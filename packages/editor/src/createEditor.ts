/** Creates editors: `createEditor(element, { document, backend })`. */
import { dropCursor } from "prosemirror-dropcursor"
import { gapCursor } from "prosemirror-gapcursor"
import { history } from "prosemirror-history"
import { type Command, EditorState, type Plugin } from "prosemirror-state"
import { columnResizing, tableEditing } from "prosemirror-tables"
import { EditorView } from "prosemirror-view"
import { type EditorContext, makeResolver } from "./context.ts"
import type { DocumentNode } from "./convert/json.ts"
import { fromDocument, toDocument } from "./convert.ts"
import type { CommentPlace, Editor, EditorOptions } from "./Editor.ts"
import type { EditorBackend, VersionedDocument } from "./EditorBackend.ts"
import { en } from "./messages/en.ts"
import type { Messages } from "./messages/Messages.ts"
import type { Document } from "./model.ts"
import { completions, placeholder, reveal } from "./plugins/behaviors.ts"
import { blockHandle } from "./plugins/blockHandle.ts"
import { CommentsControl } from "./plugins/CommentsControl.ts"
import { changes, compareWith } from "./plugins/changes.ts"
import { clipboard } from "./plugins/clipboard.ts"
import { comments } from "./plugins/comments.ts"
import { applyMerge, conflicts, showNextConflict } from "./plugins/conflicts.ts"
import { heldSelection } from "./plugins/heldSelection.ts"
import { highlight } from "./plugins/highlight.ts"
import { markdownShortcuts } from "./plugins/inputRules.ts"
import { keys } from "./plugins/keys.ts"
import { MarkdownView } from "./plugins/MarkdownView.ts"
import { search } from "./plugins/search.ts"
import { suggestions } from "./plugins/suggestions.ts"
import { uploads } from "./plugins/uploads.ts"
import { type DraftStore, IndexedDrafts } from "./saving/DraftStore.ts"
import { mergeBlocks } from "./saving/mergeDocuments.ts"
import { defaultTimes, Saver, type SaveStatus } from "./saving/Saver.ts"
import { adoptStyles } from "./ui/adoptStyles.ts"
import { type OutlineEntry, outlineOf, wordCountOf } from "./ui/documentInfo.ts"
import { element, uniqueId } from "./ui/dom.ts"
import { watchPresence } from "./ui/presence.ts"
import { selectionToolbar } from "./ui/SelectionToolbar.ts"
import { StatusBar } from "./ui/StatusBar.ts"
import { codeView } from "./views/codeView.ts"
import { containerViews } from "./views/containerViews.ts"
import { inlineViews } from "./views/inlineViews.ts"
import { mediaViews } from "./views/mediaViews.ts"
import { cellValueView, LecternTableView } from "./views/tableViews.ts"
import { voidViews } from "./views/voidViews.ts"

/** The time after a change in which others see that the writer edits the text, in milliseconds. */
const editingMs = 60_000

const emptyDocument = { object: "document", data: {}, nodes: [] } as unknown as Document

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
  private readonly trackers = new Set<(mapping: { map(position: number): number }) => void>()
  private saver: Saver | undefined
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
      view: () => this.view,
      save: () => this.save(),
      ...(options.backend?.comments === undefined
        ? {}
        : { comment: (position?: number) => this.commenting?.start(position) }),
      trackPosition: (position, use) => this.trackPosition(position, use)
    }
    this.view = this.createView(frame, messages)
    this.markdownView = new MarkdownView(frame, this.context)
    this.statusBar =
      options.backend === undefined
        ? undefined
        : new StatusBar(this.element, this.context, {
            save: () => void this.save(),
            nextConflict: () => showNextConflict(this.view),
            toggleMarkdown: () => void this.toggleMarkdown()
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
        nodeViews: {
          ...containerViews(context),
          ...mediaViews(context),
          ...voidViews(context),
          ...inlineViews(context),
          code: codeView(context),
          cell_value: cellValueView(context),
          table: (node) => new LecternTableView(node)
        },
        dispatchTransaction: (transaction) => {
          const { view } = this
          const state = view.state.apply(transaction)
          for (const track of this.trackers) track(transaction.mapping)
          view.updateState(state)
          if (!transaction.docChanged || transaction.getMeta("lectern-load") === true) return
          this.changedAt = performance.now()
          this.saver?.changed()
          this.options.onChange?.(this)
        }
      }
    )
  }

  private plugins(): ReadonlyArray<Plugin> {
    const { context } = this
    return [
      suggestions(context),
      selectionToolbar(context),
      blockHandle(context),
      markdownShortcuts(),
      ...keys(),
      clipboard(context),
      uploads(),
      conflicts(context, (count) => this.saver?.setConflicts(count)),
      highlight(),
      heldSelection(),
      search(context),
      changes(),
      comments(
        (ids) => this.commenting?.select(ids),
        () => this.commenting?.changed()
      ),
      placeholder(context),
      completions(),
      reveal(context),
      columnResizing({ View: LecternTableView, handleWidth: 6, cellMinWidth: 60 }),
      tableEditing(),
      dropCursor({ width: 2, class: "editor-drop-cursor", color: false }),
      gapCursor(),
      history({ newGroupDelay: 600 })
    ]
  }

  private stateOf(document: Document): EditorState {
    return EditorState.create({ doc: fromDocument(document), plugins: [...this.plugins()] })
  }

  private trackPosition(position: number, use: (position: number | undefined) => void): () => void {
    let current = position
    const track = (mapping: { map(position: number): number }): void => {
      current = mapping.map(current)
      use(current)
    }
    this.trackers.add(track)
    return () => this.trackers.delete(track)
  }

  private get drafts(): DraftStore | undefined {
    if (this.options.drafts === null) return undefined
    this.ownDrafts ??=
      this.options.drafts ?? (typeof indexedDB === "undefined" ? undefined : new IndexedDrafts())
    return this.ownDrafts
  }
  private ownDrafts: DraftStore | undefined

  /** Loads the document, and restores the draft that was not saved. */
  private async start(): Promise<void> {
    const { backend, document, version } = this.options
    if (backend === undefined) return
    const draft = await this.drafts?.get(backend.name).catch(() => undefined)
    let loaded: VersionedDocument | undefined
    try {
      loaded =
        document !== undefined && version !== undefined
          ? { document, version }
          : await backend.load(this.closing.signal)
    } catch (error) {
      if (draft === undefined) throw error
    }
    if (this.closing.signal.aborted) return
    // A draft of an earlier version is saved as a change of that version, which merges it.
    const base = draft === undefined ? loaded! : { document: draft.base, version: draft.version }
    const isCurrent = loaded !== undefined && base.version === loaded.version
    this.saver = this.makeSaver(isCurrent ? loaded! : base, backend)
    this.isReadOnly = this.options.isReadOnly === true
    if (draft !== undefined || document === undefined) this.show(draft?.document ?? loaded!.document)
    this.view.setProps({ editable: () => !this.isReadOnly })
    this.statusBar?.show(this.saver.current)
    if (draft !== undefined) {
      this.context.announce(this.context.messages.restored)
      this.statusBar?.notify(this.context.messages.restored)
      this.saver.changed()
    }
    void this.commenting?.load()
    watchPresence(
      this.context,
      () => performance.now() - this.changedAt < editingMs,
      (names) => this.statusBar?.showOthers(names)
    )
    const { signal } = this.closing
    window.addEventListener("pagehide", () => void this.saver?.storeDraft(), { signal })
    window.addEventListener("online", () => void this.saver?.save(), { signal })
    window.document.addEventListener("visibilitychange", () => void this.saver?.storeDraft(), { signal })
    window.addEventListener("beforeunload", (event) => this.warn(event), { signal })
  }

  /** Confirms that the page is closed while the browser does not have the text. */
  private warn(event: BeforeUnloadEvent): void {
    const status = this.saver?.current
    void this.saver?.storeDraft()
    if (status !== undefined && status._tag !== "Saved" && !status.isStored) event.preventDefault()
  }

  private makeSaver(base: VersionedDocument, backend: EditorBackend): Saver {
    return new Saver(base, {
      backend,
      drafts: this.drafts,
      times: { ...defaultTimes, ...this.options.times },
      now: () => performance.timeOrigin + performance.now(),
      document: () => this.document(),
      merge: (before, current) => this.merge(before, current),
      onStatus: (status) => {
        this.statusBar?.show(status)
        this.options.onStatus?.(status)
      }
    })
  }

  private async merge(base: Document, current: Document): Promise<number> {
    const { fromMarkdown, mergeTexts, markdownOfBlocks } = await import("./markdown.ts")
    const engine = {
      fromMarkdown: (text: string) => fromMarkdown(text).nodes as unknown as ReadonlyArray<DocumentNode>,
      toMarkdown: markdownOfBlocks,
      mergeTexts
    }
    const nodesOf = ({ nodes }: Document): ReadonlyArray<DocumentNode> =>
      nodes as unknown as ReadonlyArray<DocumentNode>
    const parts = mergeBlocks(engine, nodesOf(base), nodesOf(this.document()), nodesOf(current))
    const count = applyMerge(this.view, parts)
    const { messages } = this.context
    const text = count > 0 ? messages.conflicts(count) : messages.merged
    this.context.announce(text)
    this.statusBar?.notify(text)
    return count
  }

  private show(document: Document): void {
    this.view.updateState(this.stateOf(document))
  }

  document(): Document {
    return toDocument(this.view.state.doc)
  }

  setDocument(document: Document, version?: string): void {
    const { backend } = this.options
    if (backend !== undefined && version !== undefined)
      this.saver = this.makeSaver({ document, version }, backend)
    this.show(document)
  }

  async save(): Promise<void> {
    await this.saver?.save()
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
    const stored = this.saver?.close()
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
