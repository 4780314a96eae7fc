/** All names of `integrations`. */
export * from "./ContentInstallation.ts"
export * from "./Installation.ts"
export * from "./InstalledIntegration.ts"
export * from "./Integration.ts"
export * from "./IntegrationEvent.ts"
export * from "./integrationResources.ts"
