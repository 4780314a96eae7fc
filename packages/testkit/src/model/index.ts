/**
 * The entry point `@lectern/testkit/model`: a model of a workspace, random scenarios of its users, and their comparison on any
 * workspace: over a store, or on a running server.
 */
export { type CoreApi, makeCoreApi } from "./api/CoreApi.ts"
export { makeHttpApi, type TestedServer } from "./api/HttpApi.ts"
export { type HttpCall, toOutcome, toRequest } from "./api/HttpCalls.ts"
export { type MovableClock, makeMovableClock } from "./api/MovableClock.ts"
export { type OperationId, routes } from "./api/routes.ts"
export type { ServiceName } from "./api/services.ts"
export type { Call, Outcome, WorkspaceApi } from "./api/WorkspaceApi.ts"
export { checkServer, type ServerCheck } from "./checkServer.ts"
export { type ActorChoice, type Choice, choose, chooseNth, nth, nthOf } from "./definition/choices.ts"
export {
  asUserWho,
  asUserWithRole,
  defineStep,
  type Feature,
  type Observer,
  type Step,
  type StepContext,
  type StepDefinition
} from "./definition/Step.ts"
export {
  type FeatureName,
  type Features,
  features,
  type RunOptions,
  runScenario,
  scenario,
  scenarioRuns,
  type Theme,
  themes
} from "./scenario.ts"
export type { Actors } from "./state/Actors.ts"
export { type ErrorTag, type Item, WorkspaceModel } from "./state/WorkspaceModel.ts"
