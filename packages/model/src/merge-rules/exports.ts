/** The public names of merge rules in `@lectern/model`. */
export { MergeRule, MergeRules, StandaloneMergeRules } from "./MergeRules.ts"
