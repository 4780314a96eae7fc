/** A field that searches pages, and takes URLs. */
import type { EditorContext } from "../context.ts"
import type { ContentRef } from "../model.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { element } from "./dom.ts"
import { Listbox, type Option } from "./Listbox.ts"

const delayMs = 150

/** Receives the target that was picked, and its title. */
export type Pick = (ref: JsonObject, title: string) => void

/** Options of a picker. */
export interface PickerOptions {
  readonly kind: "link" | "reusable"
  readonly label: string
  readonly value: string
  /** Whether a URL is taken when the field is left, also if no option was picked. */
  readonly takesTypedUrl?: boolean
  readonly onPick: Pick
}

const urlOf = (text: string): string | undefined => {
  if (/^(?:https?:\/\/|mailto:|tel:|#|\/|\.{0,2}\/)\S+$/i.test(text)) return text
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text) ? `https://${text}` : undefined
}

/** Returns the icon of a target in a list. */
export const iconOfTarget = ({ kind }: ContentRef): string =>
  kind === "anchor" ? "hashtag" : kind === "file" ? "paperclip" : "file-lines"

/** Creates a field that searches targets while text is typed. The result of a search that is not the last is ignored. */
export const linkPicker = (context: EditorContext, options: PickerOptions): HTMLElement => {
  const { messages, backend } = context
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    "aria-label": options.label,
    placeholder: options.kind === "link" ? messages.linkPlaceholder : messages.searchPlaceholder,
    autocomplete: "off",
    spellcheck: "false",
    value: options.value
  })
  const list = new Listbox(messages.results, (id) =>
    id === undefined
      ? input.removeAttribute("aria-activedescendant")
      : input.setAttribute("aria-activedescendant", id)
  )
  input.setAttribute("aria-controls", list.id)
  let search = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The query whose options are displayed. Enter before the options of the last query waits for them. */
  let shown: string | undefined
  let runsWhenShown = false

  const find = async (query: string, signal: AbortSignal): Promise<ReadonlyArray<Option>> => {
    if (options.kind === "reusable") {
      const found = (await backend?.searchReusableContents?.(query, signal)) ?? []
      return found.map(({ id, title }) => ({
        title,
        icon: "copy",
        run: () => options.onPick({ kind: "reusable-content", reusableContent: id }, title)
      }))
    }
    const found = (await backend?.searchPages?.(query, signal)) ?? []
    return found.map(({ ref, title, detail, emoji }) => ({
      title,
      detail,
      ...(emoji === undefined ? { icon: iconOfTarget(ref) } : { symbol: emoji }),
      run: () => options.onPick(ref as unknown as JsonObject, title)
    }))
  }

  const update = async (): Promise<void> => {
    search.abort()
    search = new AbortController()
    const { signal } = search
    const query = input.value.trim()
    const url = options.kind === "link" ? urlOf(query) : undefined
    const direct: ReadonlyArray<Option> =
      url === undefined
        ? []
        : [
            {
              title: url,
              detail: messages.linkToUrl,
              icon: "link",
              run: () => options.onPick({ kind: "url", url }, url)
            }
          ]
    if (direct.length > 0) list.show(direct, messages.noResults)
    const found = await find(query, signal).catch(() => [])
    if (signal.aborted) return
    // A section of the page is a better target than its fragment.
    list.show(query.startsWith("#") ? [...found, ...direct] : [...direct, ...found], messages.noResults)
    shown = query
    if (runsWhenShown) list.run()
    runsWhenShown = false
  }

  input.addEventListener("input", () => {
    runsWhenShown = false
    clearTimeout(timer)
    timer = setTimeout(() => void update(), delayMs)
  })
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      list.move(event.key === "ArrowDown" ? 1 : -1)
    } else if (event.key === "Enter") {
      event.preventDefault()
      event.stopPropagation()
      const url = options.kind === "link" ? urlOf(input.value.trim()) : undefined
      // A URL that was just typed is taken without waiting for the search.
      if (url !== undefined && list.size <= 1) options.onPick({ kind: "url", url }, url)
      else if (shown === input.value.trim()) list.run()
      else {
        runsWhenShown = true
        clearTimeout(timer)
        void update()
      }
    }
  })
  if (options.takesTypedUrl === true)
    input.addEventListener("change", () => {
      const url = urlOf(input.value.trim())
      if (url !== undefined) options.onPick({ kind: "url", url }, url)
    })
  void update()
  return element("div", { class: "editor-picker" }, input, list.element)
}
