/** The public names of sites in `@lectern/core`, besides the model. */

export { type Expression, parse as parseCondition } from "../../model/sites/conditions/Condition.ts"
export { type Claims, evaluateCondition } from "../../model/sites/conditions/evaluate.ts"
export { PublishedContent } from "./PublishedContent.ts"
export { PublishedSites } from "./PublishedSites.ts"
export { ShareLinks } from "./ShareLinks.ts"
export { SiteSectionGroups } from "./SiteSectionGroups.ts"
export { SiteSections } from "./SiteSections.ts"
export { SiteSettings } from "./SiteSettings.ts"
export { SiteSpaces } from "./SiteSpaces.ts"
export { Sites } from "./Sites.ts"
