/** Operations on integrations. */

import {
  type AccessError,
  type Authorization,
  addAuditDetails,
  type Command,
  CurrentUser,
  type Granted,
  type GrantedReader,
  Locks,
  type Operation,
  Operations,
  type Query
} from "@lectern/access"
import { Encryption, Ids, now, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  type DeliveryRow,
  facetsOf,
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrationAssets,
  integrations,
  type OrganizationRow,
  organizations,
  webhookDeliveries
} from "@lectern/kernel/tables"
import { Forbidden, type InvalidField, InvalidInput, NotFound } from "@lectern/model/errors"
import {
  AssetHash,
  type Integration,
  type IntegrationImage,
  IntegrationName,
  ListIntegrations,
  type Manifest,
  PublishIntegration
} from "@lectern/model/integrations"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer } from "effect"
import { listableOrganizations, membershipsOf } from "./IntegrationView.ts"
import {
  isOfferedBy,
  type Memberships,
  noteConcerns,
  requireAdministrator
} from "./integrationAuthorizations.ts"
import { makeDirectory, makePresenters } from "./integrationDirectory.ts"
import { decodeImage, type Image } from "./integrationImages.ts"

/** Operations on integrations, on behalf of the `CurrentUser`. Names of integrations are unique in the workspace. */
export interface IntegrationsOperations {
  /**
   * Lists integrations that match every given filter, newest first: public integrations, and integrations that the caller's
   * organizations own, except for organizations in which the caller is a guest.
   */
  readonly list: Query<{ input?: ListIntegrations }, Page<Integration>>
  /**
   * Lists the integrations that an organization can use and that match every given filter, newest first: public integrations, its own, and
   * the installed ones. Requires the role `read`.
   */
  readonly listOfOrganization: Query<
    { organization: OrganizationId; input?: ListIntegrations },
    Page<Integration>,
    AccessError
  >
  /**
   * Returns the integration. A private one is visible to the members of its owner and of the organizations that installed
   * it, except for guests; for other callers the operation fails with `NotFound`.
   */
  readonly get: Query<{ integration: IntegrationName }, Integration, AccessError>
  /**
   * Publishes an integration, or its next version, which replaces all fields of the one before. Requires the role
   * `admin` in the owner. The script and the secrets are stored and never returned. Fails with `Forbidden` if another
   * organization owns the name, with `InvalidInput` if an image is not a PNG, JPEG, GIF or WebP, and with `NotFound` if the
   * caller is not a member of the owner.
   */
  readonly publish: Command<
    { integration: IntegrationName; input: PublishIntegration },
    Integration,
    AccessError
  >
  /** Permanently removes the integration and its installations. Requires the role `admin` in the owner. */
  readonly unpublish: Command<{ integration: IntegrationName }, void, AccessError>
  /**
   * Returns an image of an integration by its SHA-256 digest, or undefined if it does not exist. It requires no
   * `CurrentUser`: images are public.
   */
  readonly getImage: Operation<
    { integration: IntegrationName; hash: string },
    IntegrationImage | undefined,
    InvalidInput | StorageUnavailable,
    never
  >
}

/** The stored manifest of an input, with default values. */
const manifestOf = (input: PublishIntegration): Manifest => {
  const { runtime, icon, previewImages, script, organization, secrets, ...given } = input
  return {
    ...given,
    target: given.target ?? "all",
    visibility: given.visibility ?? "private",
    scopes: given.scopes ?? [],
    categories: given.categories ?? [],
    externalLinks: given.externalLinks ?? []
  }
}

/** Loads the publishing organization by its id or its hostname. The caller must be an administrator of it. */
const findPublisher = Effect.fnUntraced(function* (
  records: GrantedReader,
  idOrHostname: string,
  memberships: Memberships
) {
  const owner = yield* records.first(organizations, {
    where: Where.or<OrganizationRow>(
      Where.eq("id", OrganizationId.make(idOrHostname)),
      Where.eq("hostname", idOrHostname)
    )
  })
  const member = owner === undefined ? undefined : memberships.get(owner.id)
  if (owner === undefined || member === undefined) return yield* NotFound.of("organization")
  yield* noteConcerns(memberships, [owner.id])
  yield* requireAdministrator(member, "that publishes the integration")
  return owner
})

/** Decodes the images of an input. Fails with `InvalidInput`, which names every invalid image. */
const imagesOf = Effect.fnUntraced(function* (input: PublishIntegration) {
  const problems: Array<InvalidField> = []
  const decode = (base64: string, path: string): Image | undefined => {
    const image = decodeImage(base64)
    if (image === undefined) problems.push({ path, message: "must be a PNG, JPEG, GIF or WebP image" })
    return image
  }
  const icon = input.icon === undefined ? undefined : decode(input.icon, "icon")
  const previews = (input.previewImages ?? []).map((image, index) => decode(image, `previewImages.${index}`))
  if (problems.length > 0) return yield* InvalidInput.of(problems)
  return { icon, previews: previews as ReadonlyArray<Image> }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { directory, allowIntegration } = yield* makeDirectory
  const { readIntegrations, toIntegration } = yield* makePresenters

  return {
    list: query(
      "Integrations.list",
      {
        parameters: { input: ListIntegrations },
        authorize: allow.signedIn(
          "Lists public integrations, and integrations of the caller's organizations."
        )
      },
      function* ({ input }, { user, records: own }) {
        const records = own.with(directory.grant)
        const memberships = yield* membershipsOf(records, user)
        return yield* readIntegrations(records, memberships, input, {
          name: ["integrations"],
          where: Where.or<IntegrationRow>(
            Where.and<IntegrationRow>(Where.eq("visibility", "public"), isOfferedBy(records)),
            Where.isIn("organization", listableOrganizations(memberships))
          )
        })
      }
    ),

    listOfOrganization: query(
      "Integrations.listOfOrganization",
      {
        parameters: { organization: OrganizationId, input: ListIntegrations },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, input }, { records: own }) {
        const records = own.with(directory.grant)
        const memberships = yield* membershipsOf(records, yield* CurrentUser)
        return yield* readIntegrations(records, memberships, input, {
          name: ["integrations of organization", organization],
          where: Where.or<IntegrationRow>(
            Where.and<IntegrationRow>(Where.eq("visibility", "public"), isOfferedBy(records)),
            Where.eq("organization", organization),
            records.inSelect(
              "id",
              installations,
              "integration",
              Where.eq<InstallationRow, "organization">("organization", organization)
            )
          )
        })
      }
    ),

    get: query(
      "Integrations.get",
      { parameters: { integration: IntegrationName }, authorize: allowIntegration("view") },
      function* (_, { integration, memberships, records }) {
        return yield* toIntegration(records, integration, memberships)
      }
    ),

    getImage: query(
      "Integrations.getImage",
      {
        parameters: { integration: IntegrationName, hash: AssetHash },
        authorize: {
          rule: { kind: "visitor", why: "The URL of an image contains its digest." },
          check: () => Effect.succeed({ grant: directory.grant })
        }
      },
      function* ({ integration: name, hash }, { records }) {
        const row = yield* records.first(integrations, { select: ["id"], where: Where.eq("name", name) })
        if (row === undefined) return undefined
        const asset = yield* records.get(integrationAssets, { integration: row.id, hash })
        return asset?.kind === "image" ? asset : undefined
      }
    )
  }
})

const makePublishing = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const encryption = yield* Encryption
  const ids = yield* Ids
  const signedIn = allow.signedIn("Publishes for an organization of which the caller is an administrator.")
  const { directory } = yield* makeDirectory
  const { toIntegration } = yield* makePresenters

  /** Authorizes all users, and loads their memberships: the body requires one in the organization that the input names. */
  const allowPublishers: Authorization<
    unknown,
    Granted & { readonly memberships: Memberships },
    never,
    CurrentUser
  > = {
    rule: signedIn.rule,
    check: () =>
      Effect.flatMap(signedIn.check({}), (given) =>
        Effect.map(membershipsOf(directory.records, given.user), (memberships) => ({
          ...given,
          memberships,
          lockedOrganizations: [...memberships.keys()]
        }))
      )
  }

  /** Encrypts secrets, each bound to its integration and name. */
  const encryptSecrets = Effect.fnUntraced(function* (id: string, secrets: Readonly<Record<string, string>>) {
    const encrypted: Array<readonly [string, string]> = []
    for (const [name, value] of Object.entries(secrets)) {
      encrypted.push([name, yield* encryption.encrypt(value, `integration ${id} ${name}`)])
    }
    return Object.fromEntries(encrypted)
  })

  return {
    publish: command(
      "Integrations.publish",
      {
        parameters: { integration: IntegrationName, input: PublishIntegration },
        authorize: allowPublishers,
        locks: ({ integration }, caller) => Locks.integration(integration, caller)
      },
      function* ({ integration: name, input }, { memberships, records: own }) {
        const records = own.with(directory.grant)
        const owner = yield* findPublisher(records, input.organization, memberships)
        yield* addAuditDetails({ integration: name })
        const before = yield* records.first(integrations, { where: Where.eq("name", name) })
        if (before !== undefined && before.organization !== owner.id) {
          return yield* new Forbidden({
            reason: "IntegrationNameTaken",
            message: `The name "${name}" is taken. Choose another name.`
          })
        }
        const { icon, previews } = yield* imagesOf(input)
        const manifest = manifestOf(input)
        const time = yield* now
        const id = before?.id ?? (yield* ids.next)
        const row: IntegrationRow = {
          id,
          name,
          organization: owner.id,
          version: (before?.version ?? 0) + 1,
          runtime: input.runtime ?? "v1",
          manifest,
          ...facetsOf(name, manifest),
          icon: icon?.hash ?? null,
          previewImages: previews.map(({ hash }) => hash),
          secrets: yield* encryptSecrets(id, input.secrets ?? {}),
          createdAt: before?.createdAt ?? time,
          updatedAt: time
        }
        if (before === undefined) yield* records.insert(integrations, row)
        else {
          const { id: _, ...columns } = row
          yield* records.update(integrations, Where.eq("id", id), columns)
          yield* records.remove(integrationAssets, Where.eq("integration", id))
        }
        const script = utf8ToBytes(input.script)
        yield* records.insertMissing(integrationAssets, [
          {
            organization: owner.id,
            integration: id,
            hash: sha256Hex(script),
            kind: "script",
            contentType: "text/javascript",
            bytes: script
          },
          ...[...(icon === undefined ? [] : [icon]), ...previews].map((image) => ({
            organization: owner.id,
            integration: id,
            kind: "image" as const,
            ...image
          }))
        ])
        return yield* toIntegration(records, row, memberships)
      }
    )
  }
})

const makeUnpublish = Effect.gen(function* () {
  const { command } = yield* Operations
  const { allowIntegration } = yield* makeDirectory

  return {
    unpublish: command(
      "Integrations.unpublish",
      {
        parameters: { integration: IntegrationName },
        authorize: allowIntegration("unpublish"),
        locks: ({ integration }, caller) => Locks.integration(integration, caller)
      },
      function* (_, { integration, memberships, records }) {
        const installed = yield* records.find(installations, {
          select: ["organization"],
          where: Where.eq<InstallationRow, "integration">("integration", integration.id)
        })
        yield* noteConcerns(
          memberships,
          installed.map(({ organization }) => organization)
        )
        yield* records.remove(integrations, Where.eq("id", integration.id))
        yield* records.remove(
          webhookDeliveries,
          Where.eq<DeliveryRow, "integration">("integration", integration.id)
        )
      }
    )
  }
})

const makeIntegrations = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makePublishing), ...(yield* makeUnpublish) }
})

/** Operations on integrations: see {@link IntegrationsOperations}. */
export class Integrations extends Context.Service<Integrations, IntegrationsOperations>()(
  "@lectern/core/Integrations"
) {
  static readonly layer: Layer.Layer<Integrations, never, Records | Operations | Encryption | Ids> =
    Layer.effect(Integrations, makeIntegrations)
}
