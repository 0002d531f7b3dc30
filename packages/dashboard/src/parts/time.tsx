import { formatTime } from './format.ts'

/** To the second where there is little room. */
export function Time({ iso }: { readonly iso: string }) {
  const text = formatTime(iso)
  return (
    <time dateTime={iso}>
      {text.slice(0, 8)}
      <span class="extra">{text.slice(8)}</span>
    </time>
  )
}
