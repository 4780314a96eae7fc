/** A React component with the editor of a page. It needs no wrapper of Lectern: the editor is created in an effect. */
import { createEditor, type EditorBackend, loadMessages, type SaveStatus } from "@lectern/editor"
import { createServerBackend } from "@lectern/editor/backend"
import { createElement, type ReactElement, useEffect, useRef, useState } from "react"
import { createRoot } from "react-dom/client"

/** The properties of {@link PageEditor}. */
export interface PageEditorProps {
  /** The page. The editor is created again for another backend, so create it once per page. */
  readonly backend: EditorBackend
  /** The language of the interface; English by default. */
  readonly language?: string
  /** Called when the state of saving changes. */
  readonly onStatus?: (status: SaveStatus) => void
}

/** Edits a page. */
export const PageEditor = ({ backend, language = "en", onStatus }: PageEditorProps): ReactElement => {
  const parent = useRef<HTMLDivElement>(null)
  const report = useRef(onStatus)
  report.current = onStatus
  useEffect(() => {
    let close: (() => Promise<void>) | undefined
    let isClosed = false
    void loadMessages(language).then((messages) => {
      if (isClosed || parent.current === null) return
      const editor = createEditor(parent.current, {
        backend,
        language,
        messages,
        onStatus: (status) => report.current?.(status)
      })
      close = () => editor.destroy()
    })
    return () => {
      isClosed = true
      void close?.()
    }
  }, [backend, language])
  return createElement("div", { ref: parent })
}

/** The page of a host: the editor below a title that states whether the text is saved. */
export const HandbookPage = ({ backend }: { readonly backend: EditorBackend }): ReactElement => {
  const [status, setStatus] = useState("Saved")
  return createElement(
    "main",
    {},
    createElement("h1", {}, `Handbook: ${status}`),
    createElement(PageEditor, { backend, onStatus: ({ _tag }) => setStatus(_tag) })
  )
}

const parameter = (name: string): string => new URLSearchParams(location.search).get(name) ?? ""

/** Displays the page of the address. */
export const mount = (parent: Element): void =>
  createRoot(parent).render(
    createElement(HandbookPage, {
      backend: createServerBackend({
        baseUrl: location.origin,
        organization: parameter("organization"),
        space: parameter("space"),
        changeRequest: parameter("changeRequest"),
        page: parameter("page"),
        token: parameter("token")
      })
    })
  )
