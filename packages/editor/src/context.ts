/** The services and the state that the parts of an editor share. */
import type { EditorView } from "prosemirror-view"
import type { ApiSources } from "./ApiSources.ts"
import type { EditorBackend, ResolvedReference } from "./EditorBackend.ts"
import type { Messages } from "./messages/Messages.ts"
import type { Document } from "./model.ts"
import type { JsonObject } from "./schema/attributes.ts"

/** The services and the state that the parts of an editor share. */
export interface EditorContext {
  readonly messages: Messages
  readonly language: string
  readonly backend: EditorBackend | undefined
  /** The element of the editor. */
  readonly root: HTMLElement
  /** The element that popovers are in. */
  readonly overlay: HTMLElement
  /** Aborted when the editor is destroyed. */
  readonly signal: AbortSignal
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void
  /** Calls a function with the resolved reference, now or later. */
  readonly resolve: (ref: JsonObject, use: (found: ResolvedReference | undefined) => void) => void
  /** Loads what blocks of OpenAPI and of integrations display. */
  readonly apis: ApiSources
  readonly view: () => EditorView
  /** Displays a document in an element, without a way to change it. Returns the function that removes it. Absent within such a document. */
  readonly display?: ((document: Document, into: HTMLElement) => () => void) | undefined
  /** Saves the document. The promise is settled when the server has responded. */
  readonly save: () => Promise<void>
  /** Starts a comment on the selected text, or on the block at a position, if the backend has comments. */
  readonly comment?: ((position?: number) => void) | undefined
  /**
   * Calls a function with the new position of a node after each change. `side` is the side of content that is inserted at the position on
   * which it stays: -1 before it, 1, the default, after it. Returns the function that ends it.
   */
  readonly trackPosition: (
    position: number,
    use: (position: number | undefined) => void,
    side?: -1 | 1
  ) => () => void
}

/** Resolves references through the backend, each once. */
export const makeResolver = (
  backend: EditorBackend | undefined,
  signal: AbortSignal
): EditorContext["resolve"] => {
  const known = new Map<string, Promise<ResolvedReference | undefined>>()
  return (ref, use) => {
    if (ref.kind === "url") {
      const url = String(ref.url)
      // A path without a scheme is relative to the page of the space, which only the server can resolve.
      const isAbsolute = /^(?:https?:|data:image\/|blob:)/i.test(url)
      if (isAbsolute || backend?.resolve === undefined) {
        use({ title: url, ...(isAbsolute ? { href: url, source: url } : {}) })
        return
      }
    }
    const key = JSON.stringify(ref)
    const found =
      known.get(key) ??
      (
        backend?.resolve?.(ref as unknown as Parameters<NonNullable<EditorBackend["resolve"]>>[0]) ??
        Promise.resolve(undefined)
      ).catch(() => undefined)
    known.set(key, found)
    void found.then((value) => {
      if (!signal.aborted) use(value)
    })
  }
}
