/** Who has access to a space. */

import { SpaceFrame } from "../../components/SpaceFrame.tsx"
import { administrationNames } from "../../strings/names.ts"
import { useStrings } from "../../strings/strings.ts"
import { Access } from "./Access.tsx"

/** Who has access to a space. */
const SpaceAccessScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(administrationNames)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("people")}
      isPermitted={({ permissions }) => permissions.admin}
    >
      {(space) => <Access content={{ kind: "space", value: space }} />}
    </SpaceFrame>
  )
}

export default SpaceAccessScreen
