/** The programs of others that the person has authorized. */
import type { AuthorizedProgram } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { Blocks } from "../../icons/icons.gen.ts"
import { personNames } from "../../navigation/personNames.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { authorizedProgramStrings } from "./authorizedProgramStrings.ts"

const programsKey = "user/programs"

const openEnd = ({ id, name }: AuthorizedProgram): void =>
  openConfirm({
    title: translate(authorizedProgramStrings, "endTitle", { name }),
    body: translate(authorizedProgramStrings, "endBody"),
    confirm: translate(authorizedProgramStrings, "end"),
    run: () =>
      void runChange({
        send: () => client.programs.revokeAuthorizedProgram({ params: { programId: id } }),
        message: translate(authorizedProgramStrings, "ended", { name }),
        failure: translate(authorizedProgramStrings, "notEnded", { name }),
        invalidates: [programsKey]
      })
  })

/** The programs of others that the person has authorized. */
const ProgramsScreen = () => {
  const t = useStrings(authorizedProgramStrings)
  const common = useStrings(commonStrings)
  const names = useStrings(personNames)
  const { ago, dateTime } = useFormats()
  const programs = useList(programsKey, (query, signal) =>
    client.programs.listAuthorizedPrograms({ query }, { signal })
  )
  return (
    <ScreenFrame title={names("programs")} meta={t("hint")}>
      <ItemList
        resource={programs}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Blocks />} title={t("none")}>
            {t("noneBody")}
          </EmptyState>
        }
      >
        {(program) => (
          <ItemRow
            icon={<Blocks size={18} aria-hidden />}
            title={program.name}
            details={
              <>
                <span>
                  {program.lastUsedAt === undefined
                    ? common("neverUsed")
                    : common("lastUsed", { time: ago(program.lastUsedAt) })}
                </span>
                <span>{t("authorized", { time: ago(program.createdAt) })}</span>
                <span>{t("until", { time: dateTime(program.expiresAt) })}</span>
                <span>{program.permissions.join(", ")}</span>
              </>
            }
            tags={program.site === undefined ? undefined : <span className="tag">{t("oneSite")}</span>}
            controls={
              <Button size="small" onPress={() => openEnd(program)}>
                {t("end")}
              </Button>
            }
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default ProgramsScreen
