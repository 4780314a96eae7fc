/** The API specifications of the organization. */

import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { usePolling } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import { Braces, Plus } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { isProcessing, useSpecs } from "./data.ts"
import { openNewSpec } from "./SourceDialog.tsx"
import { SpecStatus } from "./SpecStatus.tsx"
import { specStrings } from "./strings.ts"

/** The API specifications of the organization. */
const SpecsScreen = () => {
  const t = useStrings(specStrings)
  const { data: organization } = useOrganization()
  const specs = useSpecs()
  usePolling(specs, specs.data?.some(isProcessing) === true, 2_000)
  const create =
    organization?.permissions.createOpenAPISpec === true ? () => openNewSpec(organization) : undefined
  useActions(
    create === undefined ? [] : [{ id: "specs.create", label: t("newSpec"), shortcut: "c", run: create }]
  )
  const button =
    create === undefined ? null : (
      <Button variant="primary" icon={<Plus size={16} />} onPress={create}>
        {t("newSpec")}
      </Button>
    )
  return (
    <ScreenFrame title={t("specs")} actions={specs.data?.length === 0 ? undefined : button}>
      <ItemList
        resource={specs}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Braces />} title={t("noSpecs")} actions={button}>
            {t("noSpecsBody")}
          </EmptyState>
        }
      >
        {(spec) => (
          <ItemRow
            icon={<Braces size={18} aria-hidden />}
            title={spec.slug}
            to={`/specs/${encodeURIComponent(spec.slug)}`}
            details={
              <>
                <span>{spec.sourceURL ?? t("uploaded")}</span>
                <Time value={spec.updatedAt} />
                {spec.lastProcessedErrors === undefined ? null : (
                  <span>{t("problemCount", { count: spec.lastProcessedErrors.length })}</span>
                )}
              </>
            }
            tags={<SpecStatus spec={spec} />}
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default SpecsScreen
