// @ts-check
/**
 * The script of published pages. Every page works without it. It is loaded before the page is displayed, so that the
 * selected theme applies from the first frame, and adds: the theme switch, search in a dialog, tabs, copy buttons, the
 * current section in the outline, and the position of the sidebar.
 */
{
  const root = document.documentElement
  root.classList.add("js")

  /** @param {string} key */
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  /** @param {string} key @param {string} value */
  const store = (key, value) => {
    try {
      localStorage.setItem(key, value)
    } catch {
      // The browser stores nothing, so that the choice lasts for this page only.
    }
  }

  const theme = stored("lectern-theme")
  if (root.dataset.toggle !== undefined && (theme === "light" || theme === "dark")) root.dataset.theme = theme

  /**
   * @template {Element} T
   * @param {string} selector
   * @param {new () => T} type
   * @param {ParentNode} [parent]
   * @returns {T | undefined}
   */
  const find = (selector, type, parent = document) => {
    const found = parent.querySelector(selector)
    return found instanceof type ? found : undefined
  }
  /** @param {string} selector @param {ParentNode} [parent] */
  const all = (selector, parent = document) =>
    [...parent.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement)

  /** Makes the links of a part of another page absolute: they are relative to its URL. @param {ParentNode} part @param {string} url */
  const resolveLinks = (part, url) => {
    for (const link of all("a[href]", part)) {
      link.setAttribute("href", new URL(link.getAttribute("href") ?? "", url).href)
    }
  }

  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : root.dataset.theme === "dark"

  const startTheme = () => {
    const button = find("[data-theme-switch]", HTMLButtonElement)
    button?.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark"
      store("lectern-theme", root.dataset.theme)
    })
  }

  /** @param {HTMLElement} tab @param {boolean} focuses */
  const selectTab = (tab, focuses) => {
    const list = tab.closest("[role=tablist]")
    if (list === null) return
    for (const other of all("[role=tab]", list)) {
      const isSelected = other === tab
      other.setAttribute("aria-selected", String(isSelected))
      other.tabIndex = isSelected ? 0 : -1
      document
        .getElementById(other.getAttribute("aria-controls") ?? "")
        ?.classList.toggle("unselected", !isSelected)
    }
    if (focuses) tab.focus()
  }

  const startTabs = () => {
    for (const list of all("[role=tablist]")) {
      const tabs = all("[role=tab]", list)
      list.addEventListener("click", (event) => {
        const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null
        if (!(tab instanceof HTMLElement)) return
        selectTab(tab, false)
        // The same choice, such as a language, applies to all tabs of the page.
        const title = tab.textContent
        const before = tab.getBoundingClientRect().top
        for (const other of all("[role=tab]"))
          if (other !== tab && other.textContent === title) selectTab(other, false)
        scrollBy(0, tab.getBoundingClientRect().top - before)
      })
      list.addEventListener("keydown", (event) => {
        const index = tabs.findIndex((tab) => tab.matches(":focus"))
        const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key]
        const tab = next === undefined || index < 0 ? undefined : tabs[(next + tabs.length) % tabs.length]
        if (tab === undefined) return
        event.preventDefault()
        selectTab(tab, true)
      })
    }
  }

  /**
   * Returns the heading whose id has the same letters and digits as an anchor: other programs derive other ids.
   * @param {string} id
   */
  const similarTarget = (id) => {
    /** @param {string} text */
    const lettersOf = (text) =>
      text
        .replace(/^id-(?=\d)/, "")
        .toLowerCase()
        .replaceAll(/-and(?=-)/g, "")
        .replaceAll(/[^\p{L}\p{N}]/gu, "")
    const letters = lettersOf(id)
    if (letters === "") return undefined
    return [...document.querySelectorAll("main [id]")].find((heading) => lettersOf(heading.id) === letters)
  }

  /** Opens what hides the target of the URL: a tab or an expandable block. */
  const revealTarget = () => {
    let id = ""
    try {
      id = decodeURIComponent(location.hash.slice(1))
    } catch {
      return
    }
    const target = id === "" ? undefined : (document.getElementById(id) ?? similarTarget(id))
    if (target === undefined) return
    for (let above = /** @type {Element | null} */ (target); above !== null; above = above.parentElement) {
      if (above instanceof HTMLDetailsElement) above.open = true
      if (above.classList.contains("unselected")) {
        const tab = document.getElementById(above.getAttribute("aria-labelledby") ?? "")
        if (tab !== null) selectTab(tab, false)
      }
    }
    target.scrollIntoView()
  }

  /** @param {HTMLElement} button @param {Promise<string>} text */
  const copy = async (button, text) => {
    await navigator.clipboard.writeText(await text)
    button.classList.add("done")
    const status = find("#status", HTMLElement)
    if (status !== undefined) status.textContent = root.dataset.copied ?? ""
    setTimeout(() => {
      button.classList.remove("done")
      if (status !== undefined) status.textContent = ""
    }, 2000)
  }

  const startCopying = () => {
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null
      if (!(button instanceof HTMLElement)) return
      const { copy: kind, source } = button.dataset
      const text =
        kind === "page" && source !== undefined
          ? fetch(source).then((response) => response.text())
          : Promise.resolve(button.closest("figure")?.querySelector("pre")?.textContent ?? "")
      copy(button, text).catch(() => undefined)
    })
    for (const figure of all("figure.collapsible")) {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "expand"
      button.textContent = root.dataset.more ?? ""
      button.addEventListener("click", () => {
        figure.classList.add("expanded")
        button.remove()
      })
      figure.append(button)
    }
  }

  const startOutline = () => {
    const links = all(".outline a")
    const sections = links.map((link) =>
      document.getElementById(decodeURIComponent(link.getAttribute("href")?.slice(1) ?? ""))
    )
    if (links.length === 0) return
    let scheduled = false
    const update = () => {
      scheduled = false
      const top = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + 8
      let current = sections.findLastIndex(
        (section) => section !== null && section.getBoundingClientRect().top <= top
      )
      if (current >= 0 && innerHeight + scrollY >= document.body.scrollHeight - 2) current = links.length - 1
      for (const [index, link] of links.entries()) {
        if (index === current) link.setAttribute("aria-current", "location")
        else link.removeAttribute("aria-current")
      }
    }
    addEventListener(
      "scroll",
      () => {
        if (!scheduled) requestAnimationFrame(update)
        scheduled = true
      },
      { passive: true }
    )
    update()
  }

  const startSidebar = () => {
    const sidebar = find(".sidebar", HTMLElement)
    const current = sidebar?.querySelector("[aria-current=page]")
    if (sidebar === undefined || !(current instanceof HTMLElement)) return
    const { top, bottom } = current.getBoundingClientRect()
    const frame = sidebar.getBoundingClientRect()
    if (bottom > frame.bottom - 48 || top < frame.top) sidebar.scrollTop += top - frame.top - frame.height / 3
    // Menus close when the reader presses Escape or clicks elsewhere.
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return
      for (const menu of all("details.menu[open]")) menu.removeAttribute("open")
    })
  }

  /** Loads the pages below a page of a large site. @param {HTMLAnchorElement} toggle @param {HTMLElement} list */
  const loadBranch = async (toggle, list) => {
    const url = new URL(toggle.href)
    const base = new URL("../", url)
    url.searchParams.set("part", "branch")
    // Links of the branch are relative to this page.
    url.searchParams.set("from", location.pathname.slice(base.pathname.length))
    const response = await fetch(url)
    if (!response.ok) throw new Error(String(response.status))
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    list.replaceChildren(...page.querySelectorAll("body > .tree > li"))
  }

  const startTree = () => {
    const tree = find(".sidebar", HTMLElement)
    tree?.addEventListener("click", async (event) => {
      const toggle = event.target instanceof Element ? event.target.closest(".toggle") : null
      const list = document.getElementById(toggle?.getAttribute("aria-controls") ?? "")
      if (!(toggle instanceof HTMLElement) || list === null || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      if (toggle instanceof HTMLAnchorElement && list.childElementCount === 0) {
        try {
          await loadBranch(toggle, list)
        } catch {
          location.href = toggle.href
          return
        }
      }
      const isOpen = toggle.getAttribute("aria-expanded") !== "true"
      toggle.setAttribute("aria-expanded", String(isOpen))
      list.classList.toggle("closed", !isOpen)
    })
  }

  const startMenus = () => {
    addEventListener("click", (event) => {
      for (const menu of all("details.menu[open]")) {
        if (!(event.target instanceof Node && menu.contains(event.target))) menu.removeAttribute("open")
      }
    })
  }

  const startSearch = () => {
    const dialog = find("dialog.search", HTMLDialogElement)
    const input = dialog && find("input", HTMLInputElement, dialog)
    const results = dialog && find(".search-results", HTMLElement, dialog)
    const status = dialog && find(".search-status", HTMLElement, dialog)
    const url = dialog?.dataset.url
    if (
      dialog === undefined ||
      input === undefined ||
      results === undefined ||
      status === undefined ||
      url === undefined
    )
      return

    const hint = status.textContent
    const shortcut = find("[data-shortcut]", HTMLElement)
    if (shortcut !== undefined && /Mac|iPhone|iPad/.test(navigator.platform)) shortcut.textContent = "⌘ K"
    /** @type {AbortController | undefined} */
    let pending
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let settled

    /** @param {number} index */
    const highlight = (index) => {
      for (const [position, link] of all("a", results).entries())
        link.classList.toggle("selected", position === index)
    }

    /**
     * Moves the focus among the results; before the first is the field.
     * @param {number} step
     */
    const move = (step) => {
      const links = all("a", results)
      const next = links.findIndex((link) => link.matches(":focus")) + step
      if (next < 0) input.focus()
      else links[Math.min(next, links.length - 1)]?.focus()
    }

    const search = async () => {
      pending?.abort()
      const query = input.value.trim()
      if (query === "") {
        results.replaceChildren()
        status.textContent = hint
        return
      }
      pending = new AbortController()
      try {
        const response = await fetch(`${url}?${new URLSearchParams({ q: query, part: "results" })}`, {
          signal: pending.signal
        })
        if (!response.ok) return
        const page = new DOMParser().parseFromString(await response.text(), "text/html")
        resolveLinks(page, response.url)
        results.replaceChildren(...page.querySelectorAll(".search-results > *"))
        status.textContent = page.querySelector(".search-status")?.textContent ?? ""
        highlight(0)
        clearTimeout(settled)
        // A search that the visitor has finished typing is counted if it has no results.
        if (all("a", results).length === 0) {
          const searched = new URLSearchParams({ q: query, part: "settled" })
          settled = setTimeout(() => fetch(`${url}?${searched}`).catch(() => undefined), 2500)
        }
      } catch {
        // A newer query has replaced this one, or the server cannot be reached: the last results stay.
      }
    }

    /** @param {string} query */
    const open = (query) => {
      if (query !== "") input.value = query
      if (!dialog.open) dialog.showModal()
      input.select()
      if (input.value !== "") search()
    }

    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("[data-search]") : null
      if (!(link instanceof HTMLElement) || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      open(link.dataset.search ?? "")
    })
    addEventListener("keydown", (event) => {
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, select, [contenteditable]")
      if ((event.key === "k" && (event.metaKey || event.ctrlKey)) || (event.key === "/" && !isTyping)) {
        event.preventDefault()
        open("")
      }
    })
    input.addEventListener("input", () => {
      clearTimeout(timer)
      timer = setTimeout(search, 90)
    })
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault()
        move(event.key === "ArrowDown" ? 1 : -1)
        return
      }
      const first =
        event.key === "Enter" && event.target === input ? find(".selected", HTMLElement, results) : undefined
      if (first === undefined) return
      event.preventDefault()
      dialog.close()
      first.click()
    })
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || (event.target instanceof Element && event.target.closest("a") !== null))
        dialog.close()
    })
  }

  document.addEventListener("DOMContentLoaded", () => {
    startTheme()
    startTabs()
    startCopying()
    startSearch()
    startMenus()
    startTree()
    startOutline()
    startSidebar()
    revealTarget()
    addEventListener("hashchange", revealTarget)
  })
}
