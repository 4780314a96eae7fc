/** The rows of the table of operations: one per operation of the API, in one file per feature. */
import type { Policy } from "@lectern/core"
import type { HttpApiGroup } from "effect/http-api"
import type { CallAsOwner, Scene, SceneIds } from "./scene.ts"

/**
 * A requirement of an operation: an action of the policy on a resource that the path or the body names. `other` means
 * that the resource belongs to another user than the caller; `own` means that it is the caller's; `trash` is a space in the trash, `parent` the collection of
 * the space, `siteSpace` the space on the site. The owner of an integration and the organization that installed it both view and update an installation; only the
 * latter selects the spaces and sites that it is installed on (`install`), and only the former creates tokens of it (`authenticate`).
 */
export type RuleName =
  | "anybody"
  | "trash.restore"
  | "upload.create"
  | "integration.administrate"
  | `installation.${"view" | "update" | "install" | "authenticate"}`
  | `organization.${keyof typeof Policy.organizationActions}`
  | `member.${keyof typeof Policy.memberActions}.other`
  | "user.view"
  | "user.change"
  | "token.own"
  | `team.${keyof typeof Policy.teamActions}`
  | `site.${keyof typeof Policy.siteActions}`
  | `siteSpace.${"view" | "duplicate" | "export"}`
  | `${"collection" | "parent"}.${keyof typeof Policy.collectionActions}`
  | `space.${keyof typeof Policy.spaceActions}`
  | `changeRequest.${keyof typeof Policy.changeRequestActions}.other`
  | `comment.${keyof typeof Policy.commentActions}.other`

/** One operation. Its method, path and schemas are not repeated here: they are derived from `Api`. */
export interface OperationRow {
  /** The core operation that serves it, such as `Spaces.get`. */
  readonly serves: string
  /** The further core operations that it calls, in their order. */
  readonly calls?: ReadonlyArray<string>
  /**
   * The rule that it requires, or several, of which it requires all. It is not derived from the definition of the
   * operation, because `authorization.test.ts` checks the definition against it.
   */
  readonly rule: RuleName | readonly [RuleName, RuleName]
  /** The rule that the path requires, if the body requires more. */
  readonly pathRule?: RuleName
  /** Whether it polls until a job is done, or starts one that can begin first: the number of statements depends on the machine. */
  readonly polls?: true
  /**
   * The result of a second request after the first response was lost: `another` if it takes effect twice, or the status
   * of the error. Absent if it has no further effect, which PATCH, and PUT of a single resource, must not have.
   */
  readonly repeated?: "another" | "404" | "409"
  /** A valid body, which requires at most `rule`. Absent if the operation has no body. */
  readonly body?: (scene: Scene) => unknown
  /** A call with more effects, for tests with an administrator: another body, or other path parameters. */
  readonly full?: (scene: Scene) => { readonly body?: unknown; readonly params?: Partial<SceneIds> }
  /** Whether it changes nothing although it is a POST request. */
  readonly reads?: true
  /** The query string, without `?`. */
  readonly query?: string
  /** Path parameters that replace the ids of the scene. */
  readonly params?: (scene: Scene) => Partial<SceneIds>
  /** Changes the scene to the state that the operation requires. */
  readonly prepare?: (scene: Scene, call: CallAsOwner) => Promise<unknown>
}

/** The ids of the operations of a group of the API. */
export type IdsOf<Group extends HttpApiGroup.Constraint> = HttpApiGroup.Endpoints<Group>["identifier"]

/** The rows of a group of the API: one for each of its operations, and none for any other. */
export type RowsOf<Group extends HttpApiGroup.Constraint> = Readonly<Record<IdsOf<Group>, OperationRow>>
