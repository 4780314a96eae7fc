/** Formulas without an editor: `@lectern/editor/formula`. */
export { renderFormula } from "./views/formula.ts"
