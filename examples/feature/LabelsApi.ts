/** The operations of labels in the HTTP API, for the server, its OpenAPI document, and typed clients. */
import { operationErrors } from "@lectern/client"
import { SpaceId } from "@lectern/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { labelErrors } from "./labelRules.ts"

/** A label of a space. */
export const Label = Schema.Struct({
  id: Schema.String,
  space: SpaceId,
  name: Schema.String,
  color: Schema.Literals(["gray", "red"]),
  /** When it ends, in ISO 8601; null if it does not. */
  expiresAt: Schema.NullOr(Schema.String),
  /** The actions that the caller is permitted. */
  permissions: Schema.Struct({ list: Schema.Boolean, add: Schema.Boolean, remove: Schema.Boolean })
}).annotate({ identifier: "Label", description: "A label of a space." })

/** The body of a request that adds a label. */
export const AddLabel = Schema.Struct({
  name: Schema.NonEmptyString.check(Schema.isMaxLength(50)),
  color: Schema.optionalKey(Label.fields.color),
  expiresAt: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      Schema.makeFilter((text: string) =>
        new Date(text).toJSON() === text.replace("Z", ".000Z") ? undefined : "must be a time that exists"
      )
    )
  )
}).annotate({ identifier: "AddLabel", description: "A new label." })

const path = "/spaces/:spaceId/labels"

/** The group of operations on labels: `client.labels`. */
export const LabelsApi = HttpApiGroup.make("labels")
  .add(
    HttpApiEndpoint.get("listLabels", path, {
      params: { spaceId: SpaceId },
      success: Schema.Array(Label),
      error: operationErrors.read
    }).annotateMerge(
      OpenApi.annotations({ summary: "List labels", description: "Returns the labels of a space." })
    ),
    HttpApiEndpoint.post("addLabel", path, {
      params: { spaceId: SpaceId },
      payload: AddLabel,
      success: Label.pipe(HttpApiSchema.status(201)),
      error: [...operationErrors.change, labelErrors.NameTaken.schema, labelErrors.TooMany.schema]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Add a label", description: "Adds a label to a space." })
    ),
    HttpApiEndpoint.delete("removeLabel", `${path}/:label`, {
      params: { spaceId: SpaceId, label: Schema.String },
      success: HttpApiSchema.Empty(204),
      error: operationErrors.change
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove a label", description: "Removes a label from a space." })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Labels", description: "The labels of spaces." }))
