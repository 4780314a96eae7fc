/** Displays the block of an API in a page without an editor. */
import type { ApiMessages } from "@lectern/markdown/openapi"
import type { Loaded } from "../ApiSources.ts"
import { type ApiPart, apiPartOf, sourceOfData } from "../apiPart.ts"
import { loadMessages } from "../messages/Messages.ts"
import { adoptStyles } from "../ui/adoptStyles.ts"
import { element } from "../ui/dom.ts"
import { showApiStates } from "../views/apiStates.ts"
import { listenToTabs } from "../views/sampleTabs.ts"
import type { ApiTree } from "./apiTree.ts"
import { fillTree } from "./fillTree.ts"

/** A part of an API to load. */
export interface ApiRequest {
  /** The slug of a spec, a URL, or `/files/` and the id of a file. */
  readonly source: string
  /** The part of the document to display. */
  readonly part: ApiPart
  /** The words of the display. */
  readonly messages: ApiMessages
  /** Whether the document is requested again. */
  readonly isRetry: boolean
}

/** Options of {@link displayApi}. */
export interface DisplayApiOptions {
  /** The type of the block in documents, such as `openapi-operation`. */
  readonly type: string
  /** The data of the block. */
  readonly data: Readonly<Record<string, unknown>>
  /** The language of the words, such as `de`. */
  readonly language: string
  /** Loads the display of a part, which `renderApiTree` of `@lectern/editor/api-tree` creates; `undefined` if the document does not have it. */
  readonly load: (request: ApiRequest) => Promise<Loaded<ReadonlyArray<ApiTree> | undefined>>
}

/**
 * Displays a block of an API in an element as the editor does, with the states of loading and of failures. Returns the function that
 * ends it.
 */
export const displayApi = (
  host: HTMLElement,
  { type, data, language, load }: DisplayApiOptions
): (() => void) => {
  adoptStyles(host.ownerDocument)
  const content = element("div", { class: "editor-void-content" })
  const block = element("div", { class: "editor-void editor-display" }, content)
  host.replaceChildren(
    element("div", { class: "lectern-editor" }, element("div", { class: "content" }, block))
  )
  listenToTabs(content)
  let isActive = true
  let end: (() => void) | undefined
  const start = async (): Promise<void> => {
    const messages = await loadMessages(language)
    if (!isActive) return
    const [source, part] = [sourceOfData(data), apiPartOf(type, data)]
    end = showApiStates(content, {
      source,
      part,
      messages,
      load: async (isRetry) => {
        const loaded = await load({ source, part, messages: messages.api, isRetry })
        if (loaded._tag !== "Loaded") return loaded
        const { value: tree } = loaded
        const fill = async (into: HTMLElement): Promise<void> => {
          into.replaceChildren()
          into.setAttribute("aria-busy", "true")
          await fillTree(into, tree ?? [], messages, () => isActive)
          into.removeAttribute("aria-busy")
        }
        return { _tag: "Loaded", value: tree && ((into) => void fill(into)) }
      }
    })
  }
  void start()
  return () => {
    isActive = false
    end?.()
    host.replaceChildren()
  }
}
