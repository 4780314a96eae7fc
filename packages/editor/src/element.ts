/** Defines the custom element `<lectern-editor>`: `@lectern/editor/element`. */
import { createEditor } from "./createEditor.ts"
import type { Editor, EditorOptions } from "./Editor.ts"
import type { EditorBackend } from "./EditorBackend.ts"
import { loadMessages } from "./messages/Messages.ts"
import type { Document } from "./model.ts"

/**
 * An editor as an element. Set its properties `backend` or `document` before it is added to the page, or later.
 *
 * - `lang`, `dir`: the language of the interface and the direction of the text, inherited from the page;
 * - `readonly`: the text cannot be changed;
 * - `label`: the accessible name of the text.
 *
 * It dispatches `lectern-change`, and `lectern-status` with the status of saving as its `detail`.
 *
 * The text is in the light DOM: browsers do not report the selection in a shadow root reliably.
 */
export class LecternEditorElement extends HTMLElement {
  /** The attributes whose changes call `attributeChangedCallback`. */
  static readonly observedAttributes = ["readonly"]
  private options: { backend?: EditorBackend; document?: Document; version?: string } = {}
  private current: Editor | undefined
  private isStarting = false

  /** The editor, once the messages of its language are loaded. */
  get editor(): Editor | undefined {
    return this.current
  }

  /** The backend that stores the document; `undefined` if the host stores it. */
  get backend(): EditorBackend | undefined {
    return this.options.backend
  }

  /** Sets the backend, and loads its document into a new editor. */
  set backend(backend: EditorBackend | undefined) {
    this.options = backend === undefined ? {} : { backend }
    void this.restart()
  }

  /** The document as it is edited. */
  get document(): Document | undefined {
    return this.current?.document() ?? this.options.document
  }

  /** Replaces the document of the editor, or creates an editor for it. */
  set document(document: Document | undefined) {
    const { document: _, ...others } = this.options
    this.options = document === undefined ? others : { ...others, document }
    if (document !== undefined && this.current !== undefined) this.current.setDocument(document)
    else void this.restart()
  }

  /** Creates the editor when the element is added to a page. */
  connectedCallback(): void {
    void this.restart()
  }

  /** Destroys the editor when the element is removed from its page. A move does not destroy it. */
  disconnectedCallback(): void {
    // An element that is moved is connected again immediately.
    queueMicrotask(() => {
      if (!this.isConnected) void this.stop()
    })
  }

  /** Applies the attribute `readonly` to the editor. */
  attributeChangedCallback(): void {
    this.current?.setReadOnly(this.hasAttribute("readonly"))
  }

  private async stop(): Promise<void> {
    const { current } = this
    this.current = undefined
    await current?.destroy()
  }

  private async restart(): Promise<void> {
    const hasContent = this.options.backend !== undefined || this.options.document !== undefined
    if (!this.isConnected || this.isStarting || !hasContent) return
    this.isStarting = true
    const language = this.closest("[lang]")?.getAttribute("lang") ?? "en"
    const [messages] = await Promise.all([loadMessages(language), this.stop()])
    this.isStarting = false
    if (!this.isConnected) return
    const label = this.getAttribute("label")
    const options: EditorOptions = {
      ...this.options,
      messages,
      language,
      isReadOnly: this.hasAttribute("readonly"),
      ...(label === null ? {} : { label }),
      onChange: () => this.dispatchEvent(new CustomEvent("lectern-change", { bubbles: true })),
      onStatus: (status) =>
        this.dispatchEvent(new CustomEvent("lectern-status", { bubbles: true, detail: status }))
    }
    this.current = createEditor(this, options)
  }
}

if (!customElements.get("lectern-editor")) customElements.define("lectern-editor", LecternEditorElement)

declare global {
  interface HTMLElementTagNameMap {
    "lectern-editor": LecternEditorElement
  }
}
