/** Creates the components of icons, with the markup of `lucide-react`. */
import { createElement, type FunctionComponent, type SVGProps } from "react"

/** The properties of an icon: the properties of an SVG element, and its width and height in pixels, 24 by default. */
export interface IconProps extends Omit<SVGProps<SVGSVGElement>, "ref"> {
  readonly size?: number
}

/** The component of an icon. Screen readers skip it unless it has a label, a role or a title. */
export type LucideIcon = FunctionComponent<IconProps>

/** The shapes of an icon: names of SVG elements, and their attributes. */
export type Shapes = ReadonlyArray<readonly [element: string, attributes: Readonly<Record<string, string>>]>

const isLabeled = (props: object): boolean =>
  Object.entries(props).some(
    ([name, value]) =>
      (name.startsWith("aria-") || name === "role" || name === "title") &&
      value !== undefined &&
      value !== null
  )

/** Creates the component of an icon from the names of its classes and its shapes. */
export const makeIcon =
  (classes: string, shapes: Shapes): LucideIcon =>
  ({ size = 24, className, children, ...props }) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        className: className === undefined ? classes : `${classes} ${className}`,
        ...(children === undefined && !isLabeled(props) ? { "aria-hidden": true } : {}),
        ...props
      },
      ...shapes.map(([element, attributes]) => createElement(element, attributes)),
      children
    )
