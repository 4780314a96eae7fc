/** The interface of the operations on OpenAPI specs. */

import type { AccessError, Command, Operation, Query } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import type { Conflict, InvalidInput } from "@lectern/model/errors"
import {
  type CreateSpec,
  type OpenApiSpec,
  type OpenApiSpecContent,
  type OpenApiSpecDocument,
  type OpenApiSpecRawContent,
  type OpenApiSpecVersion,
  type PutSpec,
  type SpecSlug,
  SpecVersionId,
  type UpdateSpec
} from "@lectern/model/openapi-specs"
import type { OrganizationId } from "@lectern/model/organizations"
import type { Page, PageQuery } from "@lectern/model/schema"
import { Schema } from "effect"

/** Identifies a version: by its id, or the latest one. */
export const SpecVersionRef = Schema.Union([Schema.Literal("latest"), SpecVersionId])
export type SpecVersionRef = typeof SpecVersionRef.Type

/** Operations on the OpenAPI specs of an organization, on behalf of the `CurrentUser`. */
export interface OpenApiSpecsOperations {
  /** Lists the specs of the organization, newest first. Requires the role `read`. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<OpenApiSpec>, AccessError>
  /**
   * Creates a spec and schedules a background job that reads its source; `processingState` has the progress. Requires
   * the role `create`. Fails with `Conflict` if the slug is taken.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateSpec },
    OpenApiSpec,
    AccessError | Conflict
  >
  /**
   * Creates a spec with this slug, or replaces the source of the existing one, and schedules a background job that
   * reads it. Requires the role `create`.
   */
  readonly createOrUpdate: Command<
    { organization: OrganizationId; slug: SpecSlug; input: PutSpec },
    OpenApiSpec,
    AccessError | Conflict
  >
  /** Returns the spec. Requires the role `read`. Fails with `NotFound` if the organization has no spec with this slug. */
  readonly get: Query<{ organization: OrganizationId; slug: SpecSlug }, OpenApiSpec, AccessError>
  /** Updates who can read the latest document of the spec. Requires the role `create`. */
  readonly update: Command<
    { organization: OrganizationId; slug: SpecSlug; input: UpdateSpec },
    OpenApiSpec,
    AccessError
  >
  /** Permanently removes the spec with all of its versions. Requires the role `create`. */
  readonly remove: Command<{ organization: OrganizationId; slug: SpecSlug }, void, AccessError>
  /** Lists the versions of the spec, newest first. Requires the role `read`. */
  readonly listVersions: Query<
    { organization: OrganizationId; slug: SpecSlug; input?: PageQuery },
    Page<OpenApiSpecVersion>,
    AccessError
  >
  /**
   * Returns a version by its id, or the latest one. Visitors of a site that displays the spec can read the latest version.
   * Fails with `NotFound` if the spec has no such version.
   */
  readonly getVersion: Query<
    { organization: OrganizationId; slug: SpecSlug; version: SpecVersionRef },
    OpenApiSpecVersion,
    AccessError
  >
  /**
   * Returns the parsed documents of a version by its id, or of the latest one. Requires the role `read`. Visitors of a site
   * that displays the spec can read the latest version. Fails with `NotFound` if the spec has no such version.
   */
  readonly getContent: Query<
    { organization: OrganizationId; slug: SpecSlug; version: SpecVersionRef },
    OpenApiSpecContent,
    AccessError
  >
  /** Returns the first document of the latest version as text. Fails with `NotFound` if the spec has no version. */
  readonly getRawContent: Query<
    { organization: OrganizationId; slug: SpecSlug },
    OpenApiSpecRawContent,
    AccessError
  >
  /**
   * Returns the first document of a version as it was received, or that of the latest version of a public spec by the id of the
   * spec; undefined if neither exists. It requires no `CurrentUser`: the unguessable id of the version is the secret.
   */
  readonly getDocument: Operation<
    { version: SpecVersionId },
    OpenApiSpecDocument | undefined,
    InvalidInput | StorageUnavailable,
    never
  >
}
