/** What `@lectern/core` exports of integrations, beside its model. */
export { Installations } from "./Installations.ts"
export { Integrations } from "./Integrations.ts"
export { assetsPath } from "./IntegrationView.ts"
