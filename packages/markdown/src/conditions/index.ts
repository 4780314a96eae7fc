/** The names of `conditions` that other packages of Lectern use. */
export { type ConditionProblem, conditionProblems, markdownForVisitor } from "./conditionalContent.ts"
export { makeInputDecoder } from "./inputDecoder.ts"
export { parseStoredCondition } from "./parsedCondition.ts"
export { parseCondition, parseMergeExpression } from "./parseExpression.ts"
