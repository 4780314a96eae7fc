/** The rows of the table of operations: one per operation of the API, in one file per feature. */
import type { Policy } from "@lectern/core"
import type { HttpApiGroup } from "effect/http-api"
import type { CallAsOwner, Scene, SceneIds } from "./scene.ts"

/**
 * A requirement of an operation: an action of the policy on a resource that the path or the body names. `other` means that the
 * resource belongs to another user than the caller; `bin` is a space in the trash, `parent` the collection of the space.
 */
export type RuleName =
  | "anybody"
  | "bin.restore"
  | "integration.remove"
  | "installation.change"
  | `organization.${keyof typeof Policy.organizationActions}`
  | `member.${keyof typeof Policy.memberActions}.other`
  | "user.view"
  | "user.change"
  | `team.${keyof typeof Policy.teamActions}`
  | `site.${keyof typeof Policy.siteActions}`
  | `${"collection" | "parent"}.${keyof typeof Policy.collectionActions}`
  | `space.${keyof typeof Policy.spaceActions}`
  | `changeRequest.${keyof typeof Policy.changeRequestActions}.other`
  | `comment.${keyof typeof Policy.commentActions}.other`

/** One operation. Its method, path and schemas are not repeated here: they are derived from `Api`. */
export interface OperationRow {
  /** The operation of a core service that serves it, as in `Spaces.get`. */
  readonly serves: string
  /**
   * The rule that it requires, or several, of which it requires all. It is written here and not derived from the definition of the operation,
   * because `authorization.test.ts` checks that definition against it.
   */
  readonly rule: RuleName | readonly [RuleName, RuleName]
  /** The rule that the path requires, if the body requires more. */
  readonly pathRule?: RuleName
  /**
   * The statements that it sends to the store in the scene, authentication included: golden data, so that a reviewer
   * reads a change as a diff. It does not depend on how much is stored, except for operations on a subtree or on the
   * tree of pages.
   */
  readonly statements: number
  /**
   * The result of sending it again, after the response to the first was lost: `another` if it is done twice, or the
   * status of the error. Absent if it changes nothing more, as it must for PATCH, and for PUT of a single resource.
   */
  readonly repeated?: "another" | "404" | "409"
  /** A valid body, which requires at most `rule`. Absent if the operation takes none. */
  readonly body?: (scene: Scene) => unknown
  /** A call that does more, for tests whose caller may do everything: another body, or other values for the path. */
  readonly full?: (scene: Scene) => { readonly body?: unknown; readonly params?: Partial<SceneIds> }
  /** The query of the call. */
  readonly query?: string
  /** Values for the path that differ from those of the scene. */
  readonly params?: (scene: Scene) => Partial<SceneIds>
  /** Changes the scene to the state that the operation requires. */
  readonly prepare?: (scene: Scene, call: CallAsOwner) => Promise<unknown>
}

/** The ids of the operations of a group of the API. */
export type IdsOf<Group extends HttpApiGroup.Constraint> = HttpApiGroup.Endpoints<Group>["identifier"]

/** The rows of a group of the API: one for each of its operations, and none for any other. */
export type RowsOf<Group extends HttpApiGroup.Constraint> = Readonly<Record<IdsOf<Group>, OperationRow>>
