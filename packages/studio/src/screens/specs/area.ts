/** The area of API specifications: their sources, versions and problems. */
import { type Area, screen } from "../../actions/Area.ts"
import { navigate } from "../../router/location.ts"
import { homeSidebar } from "../../sidebars.ts"
import { specNames } from "../../strings/names.ts"
import { translate } from "../../strings/strings.ts"

/** The area of API specifications. */
export const specsArea: Area = {
  id: "specs",
  screens: [
    screen("/specs", () => import("./SpecsScreen.tsx"), homeSidebar),
    screen("/specs/:spec", () => import("./SpecScreen.tsx"), homeSidebar)
  ],
  actions: [
    { id: "specs.open", label: () => translate(specNames, "openSpecs"), run: () => navigate("/specs") }
  ],
  invalidatedBy: ({ type, organization }) =>
    organization !== undefined && /^(openApiSpec|openApiVersion)\./.test(type)
      ? [`organizations/${organization}/specs`]
      : []
}
