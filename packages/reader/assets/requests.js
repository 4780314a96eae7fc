// @ts-check
/**
 * Sends requests of an API from the browser of the visitor. A button has the operation as JSON, from which the form is built. Only
 * pages with operations load this script, and their policy permits requests to the servers of these operations only.
 */
{
  /**
   * @typedef {{ name: string, in: string, required: boolean, value: string, options?: string[], isList?: true, isFile?: true }} Field
   * @typedef {{ name: string, kind: "key" | "basic" | "bearer", in?: string, key?: string }} Credentials
   * @typedef {{ type: string, text?: string, fields?: Field[] }} Body
   * @typedef {{ method: string, path: string, servers: string[], credentials: Credentials[], fields: Field[], body?: Body }} Tested
   * @typedef {{ name: string, value: string, file: File | undefined }} Value
   */

  /** @type {Record<string, string>} */
  const texts = JSON.parse(document.documentElement.dataset.requests ?? "{}")
  /** The credentials that the visitor has entered, by their scheme, until the page is closed. @type {Map<string, string>} */
  const entered = new Map()
  /** The maximum number of characters of a response that are displayed. */
  const maximumShown = 200_000
  let count = 0

  /**
   * @template {keyof HTMLElementTagNameMap} K
   * @param {K} name @param {Record<string, string>} attributes @param {(Node | string)[]} content
   * @returns {HTMLElementTagNameMap[K]}
   */
  const make = (name, attributes = {}, ...content) => {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...content)
    return made
  }

  /** @param {string} label @param {HTMLElement} control @param {boolean} isRequired */
  const labelled = (label, control, isRequired = false) => {
    count++
    control.id = `request-field-${count}`
    return make(
      "div",
      { class: "request-field" },
      make("label", { for: control.id }, label, isRequired ? " *" : ""),
      control
    )
  }

  /** @param {string[]} values */
  const select = (values) => make("select", {}, ...values.map((value) => make("option", { value }, value)))

  /** @param {Field} field @returns {{ row: HTMLElement, read: () => Value }} */
  const fieldOf = (field) => {
    const options = field.options
    if (options !== undefined && field.isList !== true) {
      const control = select(field.required ? options : ["", ...options])
      control.value = options.includes(field.value) ? field.value : field.required ? (options[0] ?? "") : ""
      return {
        row: labelled(field.name, control, field.required),
        read: () => ({ name: field.name, value: control.value, file: undefined })
      }
    }
    const control = make("input", { type: field.isFile === true ? "file" : "text", autocomplete: "off" })
    if (field.isFile !== true) control.value = field.value
    control.required = field.required
    return {
      row: labelled(field.name, control, field.required),
      read: () => ({ name: field.name, value: control.value, file: control.files?.[0] })
    }
  }

  /** @param {Credentials} scheme */
  const credentialsOf = (scheme) => {
    /** @param {string} part @param {string} label @param {string} type */
    const input = (part, label, type) => {
      const control = make("input", { type, autocomplete: "off", spellcheck: "false" })
      control.value = entered.get(`${scheme.name} ${part}`) ?? ""
      control.addEventListener("input", () => entered.set(`${scheme.name} ${part}`, control.value))
      return labelled(label, control)
    }
    if (scheme.kind === "basic")
      return [
        input("user", texts.username ?? "", "text"),
        input("password", texts.password ?? "", "password")
      ]
    return [
      input("token", scheme.kind === "key" ? (scheme.key ?? scheme.name) : (texts.token ?? ""), "password")
    ]
  }

  /** @param {Credentials[]} schemes @param {Headers} headers @param {URLSearchParams} query */
  const authorize = (schemes, headers, query) => {
    for (const scheme of schemes) {
      const token = entered.get(`${scheme.name} token`) ?? ""
      const user = entered.get(`${scheme.name} user`) ?? ""
      const password = entered.get(`${scheme.name} password`) ?? ""
      if (scheme.kind === "basic" && user + password !== "") {
        const bytes = new TextEncoder().encode(`${user}:${password}`)
        headers.set("authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`)
      } else if (scheme.kind === "bearer" && token !== "") {
        headers.set("authorization", `Bearer ${token.replace(/^Bearer\s+/i, "")}`)
      } else if (scheme.kind === "key" && token !== "" && scheme.key !== undefined) {
        if (scheme.in === "query") query.set(scheme.key, token)
        else headers.set(scheme.key, token)
      }
    }
  }

  /** @param {Body} body @param {Value[]} values @param {string} text @param {Headers} headers */
  const bodyOf = (body, values, text, headers) => {
    if (body.fields === undefined) {
      if (text !== "") headers.set("content-type", body.type)
      return text === "" ? undefined : text
    }
    const given = values.filter(({ value }) => value !== "")
    if (!body.type.startsWith("multipart/"))
      return new URLSearchParams(given.map(({ name, value }) => [name, value]))
    const form = new FormData()
    for (const { name, value, file } of given) form.append(name, file ?? value)
    return form
  }

  /** @param {HTMLElement} output @param {Response} response @param {number} durationMs */
  const show = async (output, response, durationMs) => {
    const type = response.headers.get("content-type") ?? ""
    const isText = type === "" || /json|xml|text|javascript|yaml|urlencoded/.test(type)
    let text = isText ? await response.text() : `${type}, ${(await response.blob()).size} B`
    if (/json/.test(type)) {
      try {
        text = JSON.stringify(JSON.parse(text), undefined, 2)
      } catch {
        // A response with the media type of JSON that is not JSON is displayed as it is.
      }
    }
    const kind = String(response.status).charAt(0)
    output.replaceChildren(
      make(
        "p",
        { class: "request-status" },
        make("span", { class: `status status-${kind}` }, `${response.status} ${response.statusText}`.trim()),
        make("span", {}, `${Math.round(durationMs)} ms`)
      ),
      make(
        "details",
        {},
        make("summary", {}, texts.headers ?? ""),
        make(
          "pre",
          { tabindex: "0" },
          Array.from(response.headers, ([name, value]) => `${name}: ${value}`).join("\n")
        )
      ),
      text === ""
        ? make("p", {}, texts.noBody ?? "")
        : make("pre", { tabindex: "0" }, text.slice(0, maximumShown))
    )
  }

  /** @param {Tested} tested */
  const openForm = (tested) => {
    const server = select(tested.servers)
    const fields = tested.fields.map((field) => ({ field, ...fieldOf(field) }))
    const bodyFields = (tested.body?.fields ?? []).map(fieldOf)
    const text = make("textarea", { rows: "10", spellcheck: "false" })
    text.value = tested.body?.text ?? ""
    const output = make("div", { class: "request-output", role: "status" })
    const send = make("button", { type: "submit", class: "button button-primary" }, texts.send ?? "")
    const close = make(
      "button",
      { type: "button", class: "icon-button", "aria-label": texts.close ?? "" },
      "×"
    )
    const form = make(
      "form",
      {},
      labelled(texts.server ?? "", server),
      ...tested.credentials.flatMap(credentialsOf),
      ...fields.map(({ row }) => row),
      ...bodyFields.map(({ row }) => row),
      ...(tested.body === undefined || tested.body.fields !== undefined
        ? []
        : [labelled(`${texts.body} (${tested.body.type})`, text)]),
      make("p", { class: "request-note" }, texts.directRequest ?? ""),
      send
    )
    const dialog = make(
      "dialog",
      { class: "request", "aria-label": `${tested.method} ${tested.path}` },
      make(
        "div",
        { class: "request-head" },
        make("span", { class: `method method-${tested.method.toLowerCase()}` }, tested.method),
        make("code", {}, tested.path),
        close
      ),
      form,
      output
    )
    close.addEventListener("click", () => dialog.close())
    dialog.addEventListener("close", () => dialog.remove())
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      send.disabled = true
      const headers = new Headers()
      const query = new URLSearchParams()
      let path = tested.path
      try {
        for (const { field, read } of fields) {
          const { name, value } = read()
          if (field.in === "path") path = path.replaceAll(`{${name}}`, () => encodeURIComponent(value))
          else if (value === "") continue
          else if (field.in === "header") headers.set(name, value)
          else for (const one of field.isList === true ? value.split(",") : [value]) query.append(name, one)
        }
        authorize(tested.credentials, headers, query)
        const body =
          tested.body === undefined
            ? undefined
            : bodyOf(
                tested.body,
                bodyFields.map(({ read }) => read()),
                text.value,
                headers
              )
        const start = performance.now()
        const response = await fetch(`${server.value}${path}${query.size === 0 ? "" : `?${query}`}`, {
          method: tested.method,
          headers,
          credentials: "omit",
          referrerPolicy: "no-referrer",
          ...(body === undefined ? {} : { body })
        })
        await show(output, response, performance.now() - start)
      } catch (error) {
        const message = error instanceof TypeError ? `${texts.noResponse} ${location.origin}.` : String(error)
        output.replaceChildren(make("p", { class: "request-error" }, message))
      } finally {
        send.disabled = false
      }
    })
    document.body.append(dialog)
    dialog.showModal()
  }

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-request]") : null
    if (button instanceof HTMLElement) openForm(JSON.parse(button.dataset.request ?? "{}"))
  })
}
