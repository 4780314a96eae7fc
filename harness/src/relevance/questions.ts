/** Questions and descriptions written by hand, with the titles of the right pages. */

/** The queries of each corpus, each with the titles of all pages that are right results. */
export const questions: Readonly<
  Record<string, ReadonlyArray<readonly [query: string, titles: ReadonlyArray<string>]>>
> = {
  bun: [
    ["how do I hash a password", ["Hash a password"]],
    ["how to check whether a file exists", ["Check if a file exists"]],
    ["run tests in parallel", ["Parallel & isolated test runs"]],
    ["compare two objects for equality", ["Check if two objects are deeply equal"]],
    ["generate random uuid", ["Generate a UUID"]],
    ["connect to postgres database", ["SQL"]],
    ["where is the configuration file", ["bunfig.toml"]],
    ["how do I kill a child process", ["Spawn", "Spawn a child process"]],
    ["handle ctrl-c", ["Listen for CTRL+C"]],
    ["deploy to aws lambda", ["Deploy a Bun application on AWS Lambda"]],
    ["dockerize an application", ["Containerize a Bun application with Docker"]],
    ["compile to a single executable", ["Single-file executable"]],
    ["set environment variable", ["Set environment variables", "Environment Variables"]],
    ["monorepo workspaces", ["Configuring a monorepo using workspaces", "Workspaces"]],
    ["jest migration", ["Migrate from Jest to Bun's test runner"]],
    ["how can I mock a function", ["Mock functions in `bun test`", "Mocks"]],
    ["upload a file with a form", ["Upload files via HTTP using FormData"]],
    ["websocket compression", ["Enable compression for WebSocket messages"]],
    ["schedule a recurring job", ["Cron"]],
    ["call C code from JavaScript", ["C Compiler", "FFI"]],
    ["unix socket http request", ["fetch with unix domain sockets in Bun"]],
    ["which timezone do tests use", ["Dates and times", "Set a time zone in Bun"]],
    [
      "install from a private registry",
      ["Configure a private registry for an organization scope with bun install", "Scopes and registries"]
    ],
    ["find outdated dependencies", ["bun outdated"]]
  ],
  ai: [
    ["how do I stream text from a model", ["streamText", "Generating Text", "Streaming"]],
    ["limit the number of requests per user", ["Rate Limiting"]],
    ["persist chat messages", ["Chatbot Message Persistence"]],
    ["generate an image from a prompt", ["Image Generation", "generateImage"]],
    ["convert speech to text", ["Transcription", "transcribe"]],
    ["text to speech", ["Speech", "generateSpeech"]],
    ["similarity of two vectors", ["cosineSimilarity"]],
    ["upgrade from version 5 to version 6", ["Migrate AI SDK 5.x to 6.0"]],
    ["resume an interrupted stream", ["Chatbot Resume Streams"]],
    ["cancel a stream", ["Stopping Streams"]],
    ["write unit tests without calling the provider", ["Testing"]],
    ["use zod schema", ["zodSchema"]],
    ["when does an agent stop looping", ["Loop Control"]],
    ["explain embeddings", ["Embeddings"]],
    ["invalid api key error", ["AI_LoadAPIKeyError"]],
    ["timeouts on vercel", ["Getting Timeouts When Deploying on Vercel"]],
    ["useChat sends stale values", ["Stale body values with useChat"]],
    ["get started with nuxt", ["Vue.js (Nuxt)"]],
    ["caching responses", ["Caching"]],
    ["model context protocol tools", ["Model Context Protocol (MCP)", "createMCPClient"]],
    ["how to validate messages", ["validateUIMessages", "safeValidateUIMessages"]],
    ["observability with opentelemetry", ["Telemetry"]]
  ]
}
