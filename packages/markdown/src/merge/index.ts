/** The names of `merge` that other packages of Lectern use. */
export { diffLines } from "./lineDiff.ts"
export { runInSteps, type Steps } from "./steps.ts"
export { mergeTexts, mergeTextsInSteps } from "./text.ts"
