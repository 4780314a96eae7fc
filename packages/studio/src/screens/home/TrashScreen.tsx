/** The organizations and the spaces in the trash that the person can restore. */

import { Button } from "../../components/Button.tsx"
import { Emoji } from "../../components/Emoji.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { useOrganization, useOrganizations } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { BookOpen, Trash2 } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { DeletedOrganizations } from "./DeletedOrganizations.tsx"
import { restoreSpace } from "./spaces.ts"
import { homeStrings } from "./strings.ts"

/** The spaces in the trash of the organization that is displayed; nothing for a person without an organization. */
const DeletedSpaces = () => {
  const t = useStrings(homeStrings)
  const { ago } = useFormats()
  const { data: organizations } = useOrganizations()
  const { data: organization } = useOrganization()
  const id = organization?.id
  const trash = useResource(id === undefined ? undefined : `organizations/${id}/trash`, (signal) =>
    client.spaces.listTrashedSpaces({ params: { organizationId: id! } }, { signal })
  )
  if (organizations?.length === 0) return null
  return (
    <Loaded resource={trash}>
      {({ items: spaces }) =>
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
  )
}

/** The trash. */
const TrashScreen = () => {
  const t = useStrings(homeStrings)
  return (
    <ScreenFrame title={t("trash")}>
      <DeletedOrganizations />
      <DeletedSpaces />
    </ScreenFrame>
  )
}

export default TrashScreen
