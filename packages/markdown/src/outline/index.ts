/** The names of `outline` that other packages of Lectern use. */

export { anchorFinder, expandableAnchorOf, type FindAnchor, gitBookAnchorsOf } from "./anchors.ts"
export { type Outline, outlineOf, type Section, verbatimOutline } from "./Outline.ts"
export type { Reference } from "./Reference.ts"
export { anchorsInHtml } from "./readOpaqueHtml.ts"
