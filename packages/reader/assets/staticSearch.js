// @ts-check
/** The search of an exported site. The index is loaded when the visitor opens the search for the first time. */
{
  /**
   * @typedef {{ id: string, title: string, headings: string, text: string }} Page
   * @typedef {{ combineWith: "OR", queries: { combineWith: "AND", queries: string[] }[] }} Query
   * @typedef {{ boostDocument: (id: string) => number }} SearchOptions
   * @typedef {{ addAll(pages: Page[]): void, search(query: Query, options: SearchOptions): { id: string }[] }} Index
   * @typedef {{ synonyms: string[][], pins: { queries: string[], id: string }[], weights: Record<string, number> }} Settings
   */

  /** The maximum number of results. */
  const maximumResults = 20
  /** The number of characters of a result that are displayed before the first match. */
  const before = 60
  /** The maximum number of forms of a query that its synonyms have. */
  const maximumForms = 12

  /** @param {string} text */
  const fold = (text) =>
    (
      text
        .normalize("NFKD")
        .replace(/\p{Mn}/gu, "")
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).join(" ")

  /**
   * Returns the forms of a query with the synonyms of its words.
   * @param {string} words @param {string[][]} synonyms
   */
  const formsOf = (words, synonyms) => {
    const forms = new Set([` ${words} `])
    for (const group of synonyms.map((texts) => texts.map((text) => ` ${fold(text)} `))) {
      for (const form of [...forms]) {
        const found = group.find((text) => form.includes(text))
        for (const other of found === undefined ? [] : group) {
          if (forms.size < maximumForms) forms.add(form.replace(found ?? "", other))
        }
      }
    }
    return [...forms].map((form) => form.trim())
  }

  /**
   * Returns the ids of the pages that match a query, the best first: pinned pages, then the others by their weighted scores.
   * @param {Index} index @param {Settings} settings @param {string} query
   */
  const idsOf = (index, { synonyms, pins, weights }, query) => {
    const words = fold(query)
    const pinned = pins.filter(({ queries }) => queries.some((one) => fold(one) === words))
    const queries = formsOf(words, synonyms).map((form) => ({
      combineWith: /** @type {const} */ ("AND"),
      queries: [form]
    }))
    const found = index.search({ combineWith: "OR", queries }, { boostDocument: (id) => weights[id] ?? 1 })
    return [...new Set([...pinned, ...found].map(({ id }) => id))]
  }

  const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ""

  /** @type {Promise<{ index: Index, settings: Settings, pages: Map<string, Page> }> | undefined} */
  let loading

  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const element = document.createElement("script")
      element.src = new URL("search-index.js", script).href
      element.onerror = reject
      element.onload = () => {
        const { MiniSearch, lecternSearchIndex, lecternSearchSettings } =
          /** @type {{ MiniSearch: new (options: object) => Index, lecternSearchIndex: Page[], lecternSearchSettings: Settings }} */ (
            /** @type {unknown} */ (globalThis)
          )
        const index = new MiniSearch({
          fields: ["title", "headings", "text"],
          searchOptions: { boost: { title: 6, headings: 3 }, prefix: true, fuzzy: 0.2, combineWith: "AND" }
        })
        index.addAll(lecternSearchIndex)
        resolve({
          index,
          settings: lecternSearchSettings,
          pages: new Map(lecternSearchIndex.map((page) => [page.id, page]))
        })
      }
      document.head.append(element)
    })
    return loading
  }

  document.addEventListener("DOMContentLoaded", () => {
    const dialog = document.querySelector("dialog.search")
    const input = dialog?.querySelector("input")
    const results = dialog?.querySelector(".search-results")
    const status = dialog?.querySelector(".search-status")
    if (!(dialog instanceof HTMLDialogElement) || !input || !results || !status) return
    const root = new URL(dialog.dataset.root || "./", location.href)
    const hint = status.textContent

    /** @param {Page} page @param {string} query */
    const resultOf = (page, query) => {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
      const text = page.text.toLowerCase()
      const found = words.map((word) => text.indexOf(word)).filter((at) => at >= 0)
      const at = Math.max(0, Math.min(...found, page.text.length) - before)
      const start = found.length === 0 ? 0 : at
      const link = document.createElement("a")
      link.href = new URL(page.id.split("/").map(encodeURIComponent).join("/"), root).href
      const title = document.createElement("span")
      title.className = "result-title"
      title.textContent = page.title
      const excerpt = document.createElement("span")
      excerpt.className = "result-text"
      excerpt.textContent = `${start > 0 ? "…" : ""}${page.text.slice(start, start + 200)}`
      const folder = document.createElement("span")
      folder.className = "result-path"
      folder.textContent = page.id.split("/").slice(0, -1).join(" › ")
      const marker = document.createElement("span")
      marker.className = "icon"
      link.append(marker, folder, title, excerpt)
      const item = document.createElement("li")
      item.append(link)
      return item
    }

    const search = async () => {
      const query = input.value.trim()
      if (query === "") {
        results.replaceChildren()
        status.textContent = hint
        return
      }
      const { index, settings, pages } = await load()
      const found = idsOf(index, settings, query)
        .flatMap((id) => pages.get(id) ?? [])
        .slice(0, maximumResults)
      const list = document.createElement("ul")
      list.append(...found.map((page) => resultOf(page, query)))
      results.replaceChildren(list)
      status.textContent = String(found.length)
    }

    /** @param {string} query */
    const open = (query) => {
      if (query !== "") input.value = query
      if (!dialog.open) dialog.showModal()
      input.select()
      search().catch(() => undefined)
    }

    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("[data-search]") : null
      if (!(link instanceof HTMLElement)) return
      event.preventDefault()
      open(link.dataset.search ?? "")
    })
    addEventListener("keydown", (event) => {
      if (event.key === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        open("")
      }
      const links = [...results.querySelectorAll("a")]
      if (!dialog.open || links.length === 0) return
      if (event.key === "Enter" && event.target === input) links[0]?.click()
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
      event.preventDefault()
      const at = links.indexOf(document.activeElement)
      const next = event.key === "ArrowDown" ? at + 1 : at - 1
      if (next < 0) input.focus()
      else links[Math.min(next, links.length - 1)]?.focus()
    })
    input.addEventListener("input", () => search().catch(() => undefined))
    if (/\/search(?:\.html)?$/.test(location.pathname)) {
      open(new URLSearchParams(location.search).get("q") ?? "")
    }
  })
}
