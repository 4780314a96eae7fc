/** Finds and replaces text. Ctrl+F opens the bar. */
import type { Node } from "prosemirror-model"
import { Plugin, PluginKey, TextSelection } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { element, iconButton } from "../ui/dom.ts"

/** The text that is searched, and its options. */
export interface SearchQuery {
  readonly text: string
  readonly isCaseSensitive: boolean
  readonly isPattern: boolean
}

/** Text that matches. */
export interface Match {
  readonly from: number
  readonly to: number
}

const maximumMatches = 5_000
const maximumText = 20_000

const patternOf = ({ text, isCaseSensitive, isPattern }: SearchQuery): RegExp | undefined => {
  if (text === "") return undefined
  const source = isPattern ? text : text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  try {
    return new RegExp(source, `g${isCaseSensitive ? "" : "i"}u`)
  } catch {
    return undefined
  }
}

/** Returns the text of a document that matches a query, in order. */
export const findMatches = (doc: Node, query: SearchQuery): ReadonlyArray<Match> => {
  const pattern = patternOf(query)
  const matches: Array<Match> = []
  if (pattern === undefined) return matches
  doc.descendants((node, position) => {
    if (!node.isTextblock) return matches.length < maximumMatches
    // A node that is not text has the length 1, as in positions.
    const text = node.textBetween(0, node.content.size, undefined, "\ufffc").slice(0, maximumText)
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (found === "" || matches.length >= maximumMatches) continue
      matches.push({ from: position + 1 + index, to: position + 1 + index + found.length })
    }
    return false
  })
  return matches
}

interface SearchState {
  readonly query: SearchQuery | undefined
  readonly matches: ReadonlyArray<Match>
  readonly current: number
}

const key = new PluginKey<SearchState>("lectern-search")
const closed: SearchState = { query: undefined, matches: [], current: 0 }

class SearchBar {
  private readonly view: EditorView
  private readonly context: EditorContext
  private readonly dom: HTMLElement
  private readonly input: HTMLInputElement
  private readonly replacement: HTMLInputElement
  private readonly count = element("span", { class: "editor-search-count", role: "status" })
  private readonly caseBox = element("input", { type: "checkbox", change: () => this.search() })
  private readonly patternBox = element("input", { type: "checkbox", change: () => this.search() })

  constructor(view: EditorView, context: EditorContext) {
    this.view = view
    this.context = context
    const { messages } = context
    this.input = element("input", {
      type: "search",
      "aria-label": messages.find,
      placeholder: messages.find,
      input: () => this.search()
    })
    this.replacement = element("input", {
      type: "text",
      "aria-label": messages.replaceWith,
      placeholder: messages.replaceWith
    })
    this.dom = element(
      "div",
      {
        class: "editor-search",
        role: "search",
        hidden: true,
        keydown: (event) => this.handleKey(event as KeyboardEvent)
      },
      this.input,
      this.count,
      iconButton("arrow-up", messages.previous, () => this.step(-1)),
      iconButton("arrow-down", messages.next, () => this.step(1)),
      element("label", { class: "editor-check" }, this.caseBox, messages.matchCase),
      element("label", { class: "editor-check" }, this.patternBox, messages.regularExpression),
      this.replacement,
      element("button", { type: "button", click: () => this.replace(false) }, messages.replace),
      element("button", { type: "button", click: () => this.replace(true) }, messages.replaceAll),
      iconButton("xmark", messages.close, () => this.close())
    )
    context.root.prepend(this.dom)
  }

  open(): void {
    this.dom.hidden = false
    const { from, to } = this.view.state.selection
    const selected = this.view.state.doc.textBetween(from, to, "\n")
    if (selected !== "" && !selected.includes("\n")) this.input.value = selected
    this.input.select()
    this.input.focus()
    this.search()
  }

  close(): void {
    this.dom.hidden = true
    this.view.dispatch(this.view.state.tr.setMeta(key, closed))
    this.view.focus()
  }

  destroy(): void {
    this.dom.remove()
  }

  update(): void {
    const state = key.getState(this.view.state)
    if (state === undefined || this.dom.hidden) return
    const { current, matches } = state
    this.count.textContent =
      state.query?.text === "" ? "" : this.context.messages.matches(current + 1, matches.length)
  }

  private search(): void {
    const query = {
      text: this.input.value,
      isCaseSensitive: this.caseBox.checked,
      isPattern: this.patternBox.checked
    }
    const matches = findMatches(this.view.state.doc, query)
    this.input.setAttribute("aria-invalid", String(query.text !== "" && patternOf(query) === undefined))
    const { from } = this.view.state.selection
    const current = Math.max(
      0,
      matches.findIndex((match) => match.from >= from)
    )
    this.view.dispatch(this.view.state.tr.setMeta(key, { query, matches, current } satisfies SearchState))
    this.reveal()
  }

  private step(by: number): void {
    const state = key.getState(this.view.state)
    if (state === undefined || state.matches.length === 0) return
    const current = (state.current + by + state.matches.length) % state.matches.length
    this.view.dispatch(this.view.state.tr.setMeta(key, { ...state, current }))
    this.reveal()
  }

  /** Selects the current match, which opens the tabs around it, and scrolls to it. */
  private reveal(): void {
    const state = key.getState(this.view.state)
    const match = state?.matches[state.current]
    if (match === undefined) return
    const { doc, tr } = this.view.state
    this.view.dispatch(tr.setSelection(TextSelection.create(doc, match.from, match.to)).scrollIntoView())
  }

  private replace(isAll: boolean): void {
    const state = key.getState(this.view.state)
    if (state?.query === undefined || state.matches.length === 0) return
    const pattern = patternOf(state.query)
    const replaced = isAll ? state.matches : [state.matches[state.current]!]
    const transaction = this.view.state.tr
    for (const { from, to } of [...replaced].reverse()) {
      const found = this.view.state.doc.textBetween(from, to)
      // Groups of a pattern can be used in the replacement, as in `$1`.
      const text =
        state.query.isPattern && pattern !== undefined
          ? found.replace(pattern, this.replacement.value)
          : this.replacement.value
      if (text === "") transaction.delete(from, to)
      else transaction.insertText(text, from, to)
    }
    this.view.dispatch(transaction)
    this.search()
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.preventDefault()
      this.close()
    } else if (event.key === "Enter" && event.target === this.input) {
      event.preventDefault()
      this.step(event.shiftKey ? -1 : 1)
    } else if (event.key === "Enter" && event.target === this.replacement) {
      event.preventDefault()
      this.replace(false)
    }
  }
}

/** Creates the plugin that finds and replaces text. */
export const search = (context: EditorContext): Plugin => {
  let bar: SearchBar | undefined
  return new Plugin<SearchState>({
    key,
    state: {
      init: () => closed,
      apply: (transaction, state) => {
        const next = transaction.getMeta(key) as SearchState | undefined
        if (next !== undefined) return next
        if (!transaction.docChanged || state.query === undefined) return state
        const matches = findMatches(transaction.doc, state.query)
        return { ...state, matches, current: Math.min(state.current, Math.max(0, matches.length - 1)) }
      }
    },
    props: {
      decorations: (state) => {
        const found = key.getState(state)
        if (found === undefined || found.matches.length === 0) return null
        return DecorationSet.create(
          state.doc,
          found.matches.map(({ from, to }, index) =>
            Decoration.inline(from, to, {
              class: index === found.current ? "editor-match current" : "editor-match"
            })
          )
        )
      },
      handleKeyDown: (_, event) => {
        const isFind =
          (event.ctrlKey || event.metaKey) &&
          !event.altKey &&
          !event.shiftKey &&
          event.key.toLowerCase() === "f"
        if (isFind) bar?.open()
        return isFind
      }
    },
    view: (view) => {
      bar = new SearchBar(view, context)
      return { update: () => bar?.update(), destroy: () => bar?.destroy() }
    }
  })
}
