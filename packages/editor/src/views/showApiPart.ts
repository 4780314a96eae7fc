/** Displays a part of an API in an element, with the states of loading and of failures. */

import type { ApiPart } from "../apiPart.ts"
import type { ApiLoader } from "../apis/ApiLoader.ts"
import type { Messages } from "../messages/Messages.ts"
import { showApiStates } from "./apiStates.ts"
import { listenToTabs } from "./sampleTabs.ts"

/** Options of {@link showApiPart}. */
export interface ShownPart {
  /** The source of the document; empty if none is chosen. */
  readonly source: string
  readonly part: ApiPart
  readonly messages: Messages
  readonly apis: Pick<ApiLoader, "display">
}

/** Displays a part of an API. Returns the function that ends it. */
export const showApiPart = (dom: HTMLElement, { source, part, messages, apis }: ShownPart): (() => void) => {
  let isActive = true
  const endTabs = listenToTabs(dom)
  const endStates = showApiStates(dom, {
    source,
    part,
    messages,
    load: async (isRetry) => {
      const [loaded, module] = await Promise.all([
        apis.display({ source, part, messages: messages.api, isRetry }),
        import("./fillTree.ts").catch(() => undefined)
      ])
      if (loaded._tag !== "Loaded") return loaded
      if (module === undefined) return { _tag: "Failed" }
      const { value: tree } = loaded
      const fill = async (into: HTMLElement): Promise<void> => {
        into.replaceChildren()
        into.setAttribute("aria-busy", "true")
        await module.fillTree(into, tree ?? [], messages, () => isActive)
        if (isActive) into.removeAttribute("aria-busy")
      }
      return { _tag: "Loaded", value: tree && ((into) => void fill(into)) }
    }
  })
  return () => {
    isActive = false
    endStates()
    endTabs()
  }
}
