import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** The heading of a view. A screen reader is taken to it when the view changes; the first view takes nobody anywhere. */
let isFirst = true

export function PageHead({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Switchboard`
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [title])
  return (
    <header class="head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  )
}
