// @ts-check
/**
 * Asks questions from the search dialog of a site with answers. It fetches only from the site, and displays the HTML that the server has
 * rendered. Without this script, the search page has a button that asks.
 */
{
  /**
   * @template {Element} T
   * @param {string} selector
   * @param {{ new (): T, prototype: T }} type
   * @param {ParentNode} root
   * @returns {T | undefined}
   */
  const find = (selector, type, root) => {
    const found = root.querySelector(selector)
    return found instanceof type ? found : undefined
  }

  /**
   * Reads the data of server-sent events, and passes each to a function.
   * @param {ReadableStream<Uint8Array>} body
   * @param {(data: { html: string, isComplete: boolean }) => void} onData
   */
  const readEvents = async (body, onData) => {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    let rest = ""
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const events = (rest + decoder.decode(value, { stream: true })).split("\n\n")
      rest = events.pop() ?? ""
      for (const event of events) {
        if (event.startsWith("data: ")) onData(JSON.parse(event.slice("data: ".length)))
      }
    }
  }

  const start = () => {
    const dialog = find("dialog.search", HTMLDialogElement, document)
    const panel = dialog && find(".ask", HTMLElement, dialog)
    const input = dialog && find("input", HTMLInputElement, dialog)
    const button = panel && find(".ask-button", HTMLButtonElement, panel)
    const status = panel && find(".ask-status", HTMLElement, panel)
    const answer = panel && find(".ask-answer", HTMLElement, panel)
    const url = panel?.dataset.url
    if (
      dialog === undefined ||
      panel === undefined ||
      input === undefined ||
      button === undefined ||
      status === undefined ||
      answer === undefined ||
      url === undefined
    )
      return

    /** @type {AbortController | undefined} */
    let pending
    const label = button.textContent

    const showButton = () => {
      const question = input.value.trim()
      button.hidden = question === ""
      button.textContent = question === "" ? label : `${label}: “${question}”`
    }

    const clear = () => {
      pending?.abort()
      answer.replaceChildren()
      status.textContent = ""
      dialog.classList.remove("answers")
    }

    /** Displays a part of the search page, whose links are relative to its URL. @param {string} html @param {string} base */
    const show = (html, base) => {
      const page = new DOMParser().parseFromString(html, "text/html")
      for (const link of page.querySelectorAll("a[href]")) {
        link.setAttribute("href", new URL(link.getAttribute("href") ?? "", base).href)
      }
      answer.replaceChildren(...page.body.childNodes)
    }

    /** @param {string} question */
    const ask = async (question) => {
      clear()
      const controller = new AbortController()
      pending = controller
      dialog.classList.add("answers")
      status.textContent = panel.dataset.answering ?? ""
      // Assistive technology reads the answer when it is complete, and not each update.
      answer.setAttribute("aria-busy", "true")
      let isComplete = false
      try {
        const response = await fetch(`${url}?${new URLSearchParams({ q: question, part: "stream" })}`, {
          signal: controller.signal
        })
        if (!response.ok || response.body === null) throw new Error("No answer")
        await readEvents(response.body, (data) => {
          show(data.html, response.url)
          isComplete = data.isComplete
        })
        if (!isComplete) throw new Error("The answer ended early")
        status.textContent = ""
        answer.focus({ preventScroll: true })
      } catch {
        if (controller.signal.aborted) return
        status.textContent = panel.dataset.failed ?? ""
      } finally {
        if (!controller.signal.aborted) answer.removeAttribute("aria-busy")
      }
    }

    button.addEventListener("click", () => ask(input.value.trim()))
    panel.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("[data-ask]") : null
      if (!(link instanceof HTMLElement) || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      // The dialog closes for other links.
      event.stopPropagation()
      input.value = link.dataset.ask ?? ""
      showButton()
      ask(input.value)
    })
    input.addEventListener("input", () => {
      clear()
      showButton()
    })
    dialog.addEventListener("close", clear)
    dialog.addEventListener("toggle", showButton)
    document.addEventListener("click", () => setTimeout(showButton))
    showButton()
  }

  document.addEventListener("DOMContentLoaded", start)
}
