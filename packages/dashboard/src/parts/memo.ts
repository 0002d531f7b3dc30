import { Component, type ComponentType, createElement } from 'preact'

/** Drawn again only for other properties: each of them is compared as it is. */
export function memo<P extends object>(show: (props: P) => preact.ComponentChild): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before: Readonly<P> = this.props
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== before[key])
    }

    override render(props: P): preact.ComponentChild {
      return createElement(show as ComponentType<P>, props)
    }
  }
}
