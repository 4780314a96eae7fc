/** The public names of integrations in `@lectern/core`, besides the model. */
export { Installations } from "./Installations.ts"
export { Integrations } from "./Integrations.ts"
export { assetsPath } from "./IntegrationView.ts"
