/** A few lines of a piece: those around the line that has most of what was asked for. */
const PREVIEW_LINES = 6
/** Characters. */
const MAX_LINE = 200

export function cutSnippet(text: string, query: string, mode: 'preview' | 'full'): string {
  if (mode === 'full') return text
  const lines = text.split('\n')
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])]
  const countIn = (line: string): number => words.filter((word) => line.includes(word)).length
  const counts = lines.map((line) => countIn(line.toLowerCase()))
  const best = counts.indexOf(Math.max(...counts))
  const start = Math.max(0, Math.min(best - 1, lines.length - PREVIEW_LINES))
  const shown = lines.slice(start, start + PREVIEW_LINES).map((line) => line.slice(0, MAX_LINE))
  const before = start > 0 ? ['…'] : []
  const after = start + PREVIEW_LINES < lines.length ? ['…'] : []
  return [...before, ...shown, ...after].join('\n')
}
