/** The endpoints of integrations. */
import { IntegrationsApi } from "./IntegrationsApi.ts"

/** The groups of endpoints of integrations, in the order of the OpenAPI document. */
export const groups: readonly [typeof IntegrationsApi] = [IntegrationsApi]
