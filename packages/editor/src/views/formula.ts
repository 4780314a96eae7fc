/** Renders formulas as MathML. The library is loaded with the first formula. */
import { element } from "../ui/dom.ts"

/** The fonts of systems that have the italic letters of formulas. Their use needs no request, and no permission of a policy. */
const systemFonts = ["STIX Two Math", "Cambria Math", "Latin Modern Math", "Noto Sans Math"]

/** Loads the font that the page declares, as `@lectern/editor/fonts.css` does, or one of the system. Returns whether there is one. */
const loadFont = async (): Promise<boolean> => {
  const declared = await document.fonts.load('1rem "Lectern Math"', "\u{1D465}").catch(() => [])
  if (declared.length > 0) return true
  const font = new FontFace("Lectern Math", systemFonts.map((name) => `local("${name}")`).join(", "))
  try {
    document.fonts.add(await font.load())
    return true
  } catch {
    return false
  }
}

let loadedFont: Promise<boolean> | undefined

/**
 * Displays single letters as italic text. Browsers display them as other characters, which are blank without a font that has
 * them.
 */
const italicizeText = (rendered: HTMLElement): void => {
  for (const letter of rendered.querySelectorAll("mi")) {
    const isSingle = Array.from(letter.textContent ?? "").length === 1
    if (isSingle && !letter.hasAttribute("mathvariant")) letter.classList.add("editor-italic")
  }
}

interface Renderer {
  readonly render: (formula: string, into: HTMLElement, options: object) => void
}

const source = (formula: string): HTMLElement => element("code", { class: "editor-formula-source" }, formula)

/** Renders a formula into an element. Its source is displayed until the library is loaded, and if it is malformed. */
export const renderFormula = (into: HTMLElement, formula: string, isBlock: boolean): void => {
  into.dataset.formula = formula
  if (into.childNodes.length === 0) into.append(source(formula))
  loadedFont ??= loadFont()
  const show = (temml: Renderer, hasFont: boolean): void => {
    // A later formula may have been rendered in the meantime.
    if (into.dataset.formula !== formula) return
    try {
      const rendered = element("span")
      temml.render(formula, rendered, {
        displayMode: isBlock,
        throwOnError: true,
        maxExpand: 100,
        trust: false
      })
      if (!hasFont) italicizeText(rendered)
      into.replaceChildren(...rendered.childNodes)
      into.removeAttribute("data-error")
    } catch (error) {
      into.replaceChildren(source(formula))
      into.dataset.error = error instanceof Error ? error.message.slice(0, 200) : ""
    }
  }
  // The source remains displayed if the library cannot be loaded.
  Promise.all([import("temml"), loadedFont]).then(
    ([{ default: temml }, hasFont]) => show(temml, hasFont),
    () => undefined
  )
}
