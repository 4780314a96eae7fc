/** Displays the block of an API in a page without an editor. */

import { apiPartOf, sourceOfData } from "../apiPart.ts"
import type { ApiLoader } from "../apis/ApiLoader.ts"
import { loadMessages } from "../messages/Messages.ts"
import { adoptStyles } from "../ui/adoptStyles.ts"
import { element } from "../ui/dom.ts"
import { showApiPart } from "./showApiPart.ts"

/** Options of {@link displayApi}. */
export interface DisplayApiOptions {
  /** The type of the block in documents, such as `openapi-operation`. */
  readonly type: string
  /** The data of the block. */
  readonly data: Readonly<Record<string, unknown>>
  /** The language of the words, such as `de`. */
  readonly language: string
  /** Loads the display. */
  readonly apis: Pick<ApiLoader, "display">
}

/**
 * Displays a block of an API in an element as the editor does, with the states of loading and of failures. Returns the function that
 * ends it.
 */
export const displayApi = (
  host: HTMLElement,
  { type, data, language, apis }: DisplayApiOptions
): (() => void) => {
  adoptStyles(host.ownerDocument)
  const content = element("div", { class: "editor-void-content" })
  const block = element("div", { class: "editor-void editor-display" }, content)
  host.replaceChildren(
    element("div", { class: "lectern-editor" }, element("div", { class: "content" }, block))
  )
  let isActive = true
  let end: (() => void) | undefined
  const start = async (): Promise<void> => {
    const messages = await loadMessages(language)
    if (!isActive) return
    end = showApiPart(content, { source: sourceOfData(data), part: apiPartOf(type, data), messages, apis })
  }
  void start()
  return () => {
    isActive = false
    end?.()
    host.replaceChildren()
  }
}
