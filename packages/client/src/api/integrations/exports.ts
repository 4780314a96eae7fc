/** The public names of integrations in `@lectern/client`. */
export { IntegrationsApi } from "./IntegrationsApi.ts"
