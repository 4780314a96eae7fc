// @ts-check
/**
 * Loads the scripts that an administrator has installed on the site, each after the consent of the visitor to its purposes. Only the
 * choice of the visitor is stored, in this browser. Only pages of sites with scripts load this file, and their policy permits the
 * origins of these scripts only.
 */
{
  /**
   * @typedef {{ url: string, categories: string[] }} Entry
   * @typedef {{ title: string, text: string, acceptAll: string, rejectAll: string, save: string, settings: string, categories: Record<string, string> }} Texts
   * @typedef {{ home: string, root: string, version: string, entries: Entry[], texts: Texts }} Scripts
   */

  /** @type {Scripts} */
  const { home, root, entries, texts } = JSON.parse(document.documentElement.dataset.scripts ?? "{}")
  const key = `lectern-consent ${root}`
  const asked = [...new Set(entries.flatMap(({ categories }) => categories))].sort()

  /** The choice of the visitor, by purpose. A purpose that was added later is missing. @returns {Record<string, boolean>} */
  const readChoice = () => {
    try {
      const stored = JSON.parse(localStorage.getItem(key) ?? "{}")
      return Object.fromEntries(
        asked.flatMap((name) => (typeof stored?.[name] === "boolean" ? [[name, stored[name]]] : []))
      )
    } catch {
      return {}
    }
  }

  /** Without storage, the visitor is asked on each page. @param {Record<string, boolean>} choice */
  const storeChoice = (choice) => {
    try {
      localStorage.setItem(key, JSON.stringify(choice))
    } catch {}
  }

  /** @type {Set<string>} */
  const loaded = new Set()

  /** @param {Record<string, boolean>} choice */
  const load = (choice) => {
    for (const { url, categories } of entries) {
      if (loaded.has(url) || !categories.every((name) => choice[name] === true)) continue
      loaded.add(url)
      const script = document.createElement("script")
      // Scripts without `async` are executed in their order: the text of a service precedes its URL.
      script.async = false
      script.src = /^https:/.test(url) ? url : new URL(url, new URL(home, location.href)).href
      document.head.append(script)
    }
  }

  /** @param {string} text @param {() => void} onClick */
  const button = (text, onClick) => {
    const made = document.createElement("button")
    made.type = "button"
    made.textContent = text
    made.addEventListener("click", onClick)
    return made
  }

  const close = () => document.querySelector(".consent")?.remove()

  /** @param {Record<string, boolean>} choice */
  const decide = (choice) => {
    const before = readChoice()
    storeChoice(choice)
    close()
    // A script that has run cannot be undone: the page is loaded again without it.
    if (asked.some((name) => before[name] === true && choice[name] !== true)) location.reload()
    else load(choice)
  }

  const ask = () => {
    close()
    const choice = readChoice()
    const banner = document.createElement("section")
    banner.className = "consent"
    banner.setAttribute("aria-label", texts.title)
    const title = document.createElement("h2")
    title.textContent = texts.title
    const text = document.createElement("p")
    text.textContent = texts.text
    const boxes = asked.map((name) => {
      const label = document.createElement("label")
      const box = document.createElement("input")
      box.type = "checkbox"
      box.checked = choice[name] === true
      label.append(box, texts.categories[name] ?? name)
      return { name, box, label }
    })
    const choices = document.createElement("div")
    choices.append(...boxes.map(({ label }) => label))
    const actions = document.createElement("div")
    /** @param {boolean} value */
    const all = (value) => Object.fromEntries(asked.map((name) => [name, value]))
    actions.append(
      button(texts.rejectAll, () => decide(all(false))),
      button(texts.acceptAll, () => decide(all(true))),
      button(texts.save, () => decide(Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked]))))
    )
    banner.append(title, text, choices, actions)
    document.body.append(banner)
    return banner
  }

  const start = () => {
    const choice = readChoice()
    load(choice)
    for (const settings of document.querySelectorAll(".consent-settings")) {
      settings.removeAttribute("hidden")
      settings.addEventListener("click", () => ask().querySelector("input")?.focus())
    }
    if (asked.some((name) => !(name in choice))) ask()
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start)
  else start()
}
