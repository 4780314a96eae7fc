/** The spaces in the trash. The API does not list them, so they are found by the events of the last days. */
import { ApiError, type Space } from "@lectern/client/fetch"
import { BookOpen, Trash2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { Emoji } from "../../components/Emoji.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { useOrganization } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { restoreSpace } from "./spaces.ts"
import { homeStrings } from "./strings.ts"

const pageSize = 200
const maximumPages = 10

const idsOfTrashed = async (organizationId: string, signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>()
  let after: string | undefined
  for (let page = 0; page < maximumPages; page++) {
    const query = { types: "space.trashed", limit: pageSize, ...(after === undefined ? {} : { after }) }
    const { items, cursor } = await client.events.listEvents(
      { params: { organizationId }, query },
      { signal }
    )
    for (const { data } of items) if (typeof data.id === "string") ids.add(data.id)
    if (items.length < pageSize) break
    after = cursor
  }
  return ids
}

const loadTrash = async (organizationId: string, signal: AbortSignal): Promise<ReadonlyArray<Space>> => {
  const ids = await idsOfTrashed(organizationId, signal)
  const spaces = await Promise.all(
    [...ids].map((spaceId) =>
      client.spaces.getSpaceById({ params: { spaceId } }, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && ["NotFound", "Forbidden", "Gone"].includes(error._tag))
          return undefined
        throw error
      })
    )
  )
  return spaces.filter((space): space is Space => space?.deletedAt !== undefined)
}

/** The trash. */
const TrashScreen = () => {
  const t = useStrings(homeStrings)
  const { ago } = useFormats()
  const { data: organization } = useOrganization()
  const id = organization?.id
  const trash = useResource(id === undefined ? undefined : `organizations/${id}/trash`, (signal) =>
    loadTrash(id!, signal)
  )
  return (
    <ScreenFrame title={t("trash")}>
      <Loaded resource={trash}>
        {(spaces) =>
          spaces.length === 0 ? (
            <EmptyState icon={<Trash2 />} title={t("emptyTrash")}>
              {t("emptyTrashBody")}
            </EmptyState>
          ) : (
            <ul className="list">
              {spaces.map((space) => (
                <li key={space.id}>
                  <span className="list-icon">
                    <Emoji emoji={space.emoji} fallback={<BookOpen size={18} aria-hidden />} />
                  </span>
                  <div className="list-text">
                    <strong>{space.title}</strong>
                    <p className="list-detail">
                      {t("trashedAt", { time: space.deletedAt === undefined ? "" : ago(space.deletedAt) })}
                    </p>
                  </div>
                  <Button size="small" onPress={() => void restoreSpace(space)}>
                    {t("restore")}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default TrashScreen
