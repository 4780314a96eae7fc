/** The public names of merge rules in `@lectern/core/model`. */
export { MergeRule, MergeRules, StandaloneMergeRules } from "./MergeRules.ts"
