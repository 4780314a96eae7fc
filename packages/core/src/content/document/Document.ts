import { Schema } from "effect"
export const JsonDocument = Schema.Struct({
  object: Schema.Literal("document"),
  data: Schema.Record(Schema.String, Schema.Unknown),
  nodes: Schema.Array(Schema.Unknown)
}).annotate({ identifier: "JsonDocument" })
export type JsonDocument = typeof JsonDocument.Type
