import type { ToolContext, ToolOutcome } from '@switchboard/toolkit'
import type { DocsListData, DocsListParams } from '../generated/types.ts'

export function run({ category, tags }: DocsListParams, context: ToolContext): ToolOutcome<DocsListData> {
  const guides = context.guides
    .filter((guide) => category === undefined || guide.tags.includes(category))
    .filter((guide) => tags === undefined || tags.length === 0 || tags.some((tag) => guide.tags.includes(tag)))
    .map(({ id, title, summary, tags: its }) => ({ id, title, summary, tags: [...its] }))
  const lines = guides.map(({ id, summary }) => `${id}: ${summary}`)
  const known = [...new Set(context.guides.flatMap((guide) => guide.tags))].sort()
  return {
    data: { guides },
    text: lines.length > 0 ? lines.join('\n') : `No guide has that tag. Tags: ${known.join(', ')}`,
  }
}
