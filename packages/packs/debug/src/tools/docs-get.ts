import { type ToolContext, ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DocsGetData, DocsGetParams } from '../generated/types.ts'

export function run({ id }: DocsGetParams, { guides }: ToolContext): ToolOutcome<DocsGetData> {
  if (!/^[a-z0-9-]+$/.test(id)) throw new ToolError('E_INVALID_ID', `"${id}" is no id of a guide`)
  const guide = guides.find((candidate) => candidate.id === id)
  if (guide === undefined) {
    throw new ToolError('E_DOC_NOT_FOUND', `There is no guide "${id}"`, {
      hint: `There are: ${guides.map((candidate) => candidate.id).join(', ')}.`,
    })
  }
  const { title, text } = guide
  return { data: { id, title, text }, text: `# ${title}\n\n${text}` }
}
