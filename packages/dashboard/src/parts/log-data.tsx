/** What a line of the log says besides its words: `server=files attempt=2`; what is long is folded. */
const MOST_UNFOLDED = 200
const MOST_OF_SUMMARY = 120

export function LogData({ data }: { readonly data: unknown }) {
  const text = formatData(data)
  if (text.length <= MOST_UNFOLDED) return <span class="quiet">{text}</span>
  return (
    <details class="quiet">
      <summary>{text.slice(0, MOST_OF_SUMMARY)} …</summary>
      {text}
    </details>
  )
}

function formatData(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return JSON.stringify(data)
  return Object.entries(data)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
