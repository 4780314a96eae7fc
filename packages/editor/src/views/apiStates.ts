/** The states of the display of an API: nothing chosen, loading, missing, failed, and loaded. */

import { type ApiPart, titleOfPart } from "../apiPart.ts"
import type { Loaded } from "../Loaded.ts"
import type { Messages } from "../messages/Messages.ts"
import { element } from "../ui/dom.ts"
import { linkCard } from "./linkCard.ts"

/** The part of an API that {@link showApiStates} displays. */
export interface ApiDisplay {
  /** The source of the document; empty if none is chosen. */
  readonly source: string
  readonly part: ApiPart
  readonly messages: Messages
  /** Loads the display: a function that fills the element, or `undefined` if the document does not have the part. */
  readonly load: (isRetry: boolean) => Promise<Loaded<((into: HTMLElement) => void) | undefined>>
}

/** Displays the states of an API, and then its part. Returns the function that ends it. */
export const showApiStates = (
  dom: HTMLElement,
  { source, part, messages, load }: ApiDisplay
): (() => void) => {
  const states = messages.apiStates
  const title = titleOfPart(part)
  let isEnded = false
  const showCard = (detail: string, retry?: () => void): void => {
    const { dom: card } = linkCard("plug", title || messages.chooseTarget, detail)
    const button =
      retry !== undefined &&
      element("button", { type: "button", class: "editor-retry", click: retry }, messages.retry)
    dom.replaceChildren(...(button === false ? [card] : [card, button]))
  }
  const start = async (isRetry: boolean): Promise<void> => {
    dom.setAttribute("aria-busy", "true")
    showCard(states.loading(source))
    const loaded = await load(isRetry)
    if (isEnded) return
    dom.removeAttribute("aria-busy")
    if (loaded._tag === "Absent") showCard(source)
    else if (loaded._tag === "Missing") showCard(states.missing(source))
    else if (loaded._tag === "Failed") showCard(states.failed(source), () => void start(true))
    else if (loaded.value === undefined) showCard(states.missingPart(source))
    else loaded.value(dom)
  }
  if (source === "") showCard(states.chooseSource)
  else void start(false)
  return () => {
    isEnded = true
  }
}
