/** The names of `merge` that other packages of Lectern use. */
export { diffLines } from "./lineDiff.ts"
export { runInSteps } from "./steps.ts"
export { mergeTexts, mergeTextsInSteps } from "./text.ts"
