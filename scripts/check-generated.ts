/**
 * Checks that generated files are current, and that the OpenAPI document is complete, in one process: the generators load the same packages,
 * from their compiled modules.
 */
process.argv.push("--check")
await import("./generate-descriptions.ts")
await import("./generate-event-docs.ts")
await import("./generate-fetch-client.ts")
await import("./generate-reference.ts")
await import("./check-openapi.ts")

export {}
