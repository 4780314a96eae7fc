/** Rules that apply the calls of a simulation to the model of a workspace. */
import type { Role } from "@lectern/core"
import type { ErrorTag, Item, Move, WorkspaceModel } from "../../model/state/WorkspaceModel.ts"

/** A call of a simulation. */
export interface SimulatedCall {
  /** The operation, as in `Spaces.create`. */
  readonly operation: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The user who calls; undefined for the operator. */
  readonly user: string | undefined
}

/** A call, as a rule uses it. */
export interface ModelCall {
  readonly model: WorkspaceModel
  /** The user who calls; empty for the operator. */
  readonly user: string
  /** The parameters by name. */
  readonly parameters: CallParameters
}

/** The parameters that the rules use. */
export interface CallParameters {
  readonly organization?: string
  readonly space?: string
  readonly collection?: string
  readonly site?: string
  readonly user?: string
  readonly administrator?: string
  readonly content?: { readonly space?: string }
  readonly input?: {
    readonly title?: string
    readonly parent?: string | null
    readonly position?: NonNullable<Move["position"]>
    readonly role?: Role
    readonly visibility?: string
    readonly spaces?: ReadonlyArray<string>
  }
}

/** The prediction of the model for a call, and its effect. */
export interface ModelAnswer {
  /** The error with which the call must end; undefined for success, and `unpredicted` if the model does not predict it. */
  readonly error: ErrorTag | undefined | "unpredicted"
  /** Applies a successful call with its result to the model. */
  readonly apply: (result: unknown) => void
}

/** A rule for the calls of one operation. */
export type ModelRule = (call: ModelCall) => ModelAnswer

/** Converts a call to the parameter of a rule. */
export const toModelCall = (model: WorkspaceModel, { user, parameters }: SimulatedCall): ModelCall => ({
  model,
  user: user ?? "",
  parameters: parameters as CallParameters
})

/** Returns the id of a resource in a result. */
export const idOfResult = (result: unknown): string => (result as { readonly id: string }).id

/** Returns a space of the model, or a collection; undefined for one of another kind. */
export const itemOf = (
  model: WorkspaceModel,
  kind: Item["kind"],
  id: string | undefined
): Item | undefined => {
  const item = model.items.get(id ?? "")
  return item?.kind === kind ? item : undefined
}

/** The effect of a call that changes nothing in the model. */
export const changesNothing = (): void => {}
