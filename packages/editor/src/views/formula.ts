/** Renders formulas as MathML. The library is loaded with the first formula. */
import { element } from "../ui/dom.ts"

const source = (formula: string): HTMLElement => element("code", { class: "editor-formula-source" }, formula)

/** Renders a formula into an element. Its source is displayed until the library is loaded, and if it is malformed. */
export const renderFormula = (into: HTMLElement, formula: string, isBlock: boolean): void => {
  into.dataset.formula = formula
  if (into.childNodes.length === 0) into.append(source(formula))
  void import("temml").then(({ default: temml }) => {
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
      into.replaceChildren(...rendered.childNodes)
      into.removeAttribute("data-error")
    } catch (error) {
      into.replaceChildren(source(formula))
      into.dataset.error = error instanceof Error ? error.message.slice(0, 200) : ""
    }
  })
}
