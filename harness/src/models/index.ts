/** Language models for tests. */
export {
  beginStream,
  deltaEvent,
  type ModelBehavior,
  type ModelRequest,
  type ModelServer,
  promptData,
  quoteDocuments,
  startModelServer,
  streamText
} from "./modelServer.ts"
