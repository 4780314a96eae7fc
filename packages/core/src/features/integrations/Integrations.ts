/** What callers do with integrations (decision D14). */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { Forbidden, type InvalidField, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Encryption } from "../../kernel/security/Encryption.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { lineOf } from "../../kernel/storage/textSet.ts"
import { now } from "../../kernel/time.ts"
import {
  IntegrationName,
  type IntegrationRow,
  integrationAssets,
  integrations,
  ListIntegrations,
  type Manifest,
  PublishIntegration
} from "../../model/integrations/Integration.ts"
import type { MemberRow } from "../../model/organizations/Member.ts"
import {
  OrganizationId,
  type OrganizationRow,
  organizations
} from "../../model/organizations/Organization.ts"
import { facetsOf } from "./facets.ts"
import { administrates, membershipsOf, presentIntegrations } from "./IntegrationView.ts"
import { decodeImage, type Image } from "./integrationImages.ts"
import { loadVisible } from "./visibleIntegration.ts"

const manifestOf = (input: PublishIntegration): Manifest => {
  const { runtime, icon, previewImages, script, organization, secrets, ...given } = input
  return {
    ...given,
    target: given.target ?? "all",
    visibility: given.visibility ?? "private",
    categories: given.categories ?? [],
    externalLinks: given.externalLinks ?? []
  }
}

/** The condition that a list's filters come to, all of them together. */
const filter = (input: ListIntegrations): Where.Where<IntegrationRow> =>
  Where.and<IntegrationRow>(
    input.search === undefined ? Where.all : Where.contains("folded", folded(input.search)),
    input.category === undefined ? Where.all : Where.contains("categories", lineOf(input.category)),
    input.scope === undefined ? Where.all : Where.contains("scopes", lineOf(input.scope)),
    input.blockDomain === undefined
      ? Where.all
      : Where.contains("blockDomains", lineOf(input.blockDomain.toLowerCase())),
    input.blocks === undefined ? Where.all : Where.eq("hasBlocks", input.blocks),
    input.contentSources === undefined ? Where.all : Where.eq("hasContentSources", input.contentSources),
    input.owner === undefined ? Where.all : Where.eq("organization", input.owner)
  )

const makeIntegrations = Effect.gen(function* () {
  const records = yield* Records
  const encryption = yield* Encryption
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const mine = Effect.flatMap(CurrentUser, (user) => membershipsOf(records, user))

  const present = Effect.fnUntraced(function* (
    row: IntegrationRow,
    memberships: ReadonlyMap<OrganizationId, MemberRow>
  ) {
    return (yield* presentIntegrations(records, base, memberships, [row]))[0]!
  })

  /** The organization that publishes, by its id or its hostname: the caller has to administrate it. */
  const publisher = Effect.fnUntraced(function* (
    named: string,
    memberships: ReadonlyMap<OrganizationId, MemberRow>
  ) {
    const owner = yield* records.first(organizations, {
      where: Where.or<OrganizationRow>(
        Where.eq("id", OrganizationId.make(named)),
        Where.eq("hostname", named)
      )
    })
    const member = owner === undefined ? undefined : memberships.get(owner.id)
    if (owner === undefined || member === undefined) return yield* NotFound.of("organization")
    if (!administrates(member)) {
      return yield* new Forbidden({ message: "To publish integrations one has to administrate their owner." })
    }
    return owner
  })

  /** The images of an input, decoded; every one that is none is said. */
  const imagesOf = Effect.fnUntraced(function* (input: PublishIntegration) {
    const wrong: Array<InvalidField> = []
    const decode = (base64: string, path: string): Image | undefined => {
      const image = decodeImage(base64)
      if (image === undefined) wrong.push({ path, message: "must be a PNG, JPEG, GIF or WebP image" })
      return image
    }
    const icon = input.icon === undefined ? undefined : decode(input.icon, "icon")
    const previews = (input.previewImages ?? []).map((one, index) => decode(one, `previewImages.${index}`))
    if (wrong.length > 0) return yield* InvalidInput.of(wrong)
    return { icon, previews: previews as ReadonlyArray<Image> }
  })

  /** Encrypts secrets, each for its place. */
  const seal = Effect.fnUntraced(function* (id: string, secrets: Readonly<Record<string, string>>) {
    const sealed: Array<readonly [string, string]> = []
    for (const [name, value] of Object.entries(secrets)) {
      sealed.push([name, yield* encryption.encrypt(value, `integration ${id} ${name}`)])
    }
    return Object.fromEntries(sealed)
  })

  return {
    /**
     * The integrations that the caller finds, newest first: those that are public, and those of their organizations.
     */
    list: query([ListIntegrations], function* (input) {
      const memberships = yield* mine
      const { page, limit, ...filters } = input
      return yield* readPage(records, input, {
        table: integrations,
        list: ["integrations", filters],
        where: Where.and<IntegrationRow>(
          Where.or<IntegrationRow>(
            Where.eq("visibility", "public"),
            Where.isIn("organization", [...memberships.keys()])
          ),
          filter(input)
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => presentIntegrations(records, base, memberships, rows)
      })
    }),

    /** The integration. One that is private is only there for its owner's members, and where it is installed. */
    get: query([IntegrationName], function* (name) {
      const { integration, memberships } = yield* loadVisible(records, name)
      return yield* present(integration, memberships)
    }),

    /**
     * Publishes an integration, or the next version of it: all that is said of it is replaced. `Forbidden` where
     * another organization has the name. Its script and its secrets are kept, and never shown.
     */
    publish: change([IntegrationName, PublishIntegration], function* (name, input) {
      const memberships = yield* mine
      const owner = yield* publisher(input.organization, memberships)
      const before = yield* records.first(integrations, { where: Where.eq("name", name) })
      if (before !== undefined && before.organization !== owner.id) {
        return yield* new Forbidden({
          message: "Another organization has published an integration of this name."
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
        secrets: yield* seal(id, input.secrets ?? {}),
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
          integration: id,
          hash: bytesToHex(sha256(script)),
          kind: "script",
          contentType: "text/javascript",
          bytes: script
        },
        ...[...(icon === undefined ? [] : [icon]), ...previews].map((image) => ({
          integration: id,
          kind: "image" as const,
          ...image
        }))
      ])
      return yield* present(row, memberships)
    }),

    /** Takes an integration back for good, wherever it is installed. */
    unpublish: change([IntegrationName], function* (name) {
      const { integration, memberships } = yield* loadVisible(records, name)
      if (!administrates(memberships.get(integration.organization))) {
        return yield* new Forbidden({
          message: "To unpublish integrations one has to administrate their owner."
        })
      }
      yield* records.remove(integrations, Where.eq("id", integration.id))
    }),

    /** An image of an integration, for whoever has its address; undefined where there is none. */
    image: query([IntegrationName], function* (name) {
      const row = yield* records.first(integrations, { select: ["id"], where: Where.eq("name", name) })
      return (hash: string) =>
        row === undefined
          ? Effect.succeed(undefined)
          : Effect.map(records.get(integrationAssets, { integration: row.id, hash }), (asset) =>
              asset?.kind === "image" ? asset : undefined
            )
    })
  }
})

/** See the module's comment. */
export class Integrations extends Context.Service<Integrations, Effect.Success<typeof makeIntegrations>>()(
  "@lectern/core/Integrations"
) {
  static readonly layer: Layer.Layer<Integrations, never, Records | Encryption | Ids> = Layer.effect(
    Integrations,
    makeIntegrations
  )
}
