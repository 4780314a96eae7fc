/** The public names of content in `@lectern/core`, besides the model. */

export { revisions } from "../../model/content/Revision.ts"
export { Content } from "./Content.ts"
export { OnSweepProgress, type SweepProgress } from "./collectGarbage.ts"
export { type ConditionProblem, conditionProblems, markdownForVisitor } from "./conditionalContent.ts"
export { Documents } from "./Documents.ts"
export { labelKey } from "./document/linkReferences.ts"
export { isVerbatim, parse as parseMarkdown } from "./document/syntax.ts"
export { StoredFile, toFileName, type UploadedBytes } from "./edit/StoredFile.ts"
export { type Download, downloadsPath } from "./FileUrls.ts"
export { outlineOf } from "./outline/Outline.ts"
export { type ReferencedSpec, ReferencedSpecs } from "./ReferencedSpecs.ts"
export { Revisions } from "./Revisions.ts"
