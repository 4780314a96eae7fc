export { MergeRule, MergeRules, StandaloneMergeRules } from "./MergeRules.ts"
