/** A pack's guides as MCP prompts: a person picks one, and the model gets its text. */
import { nearestNames } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { GetPromptResult, Prompt } from '@switchboard/protocol/mcp'
import type { Guide } from '../manifest/tool-declaration.ts'

export function listGuidePrompts(guides: readonly Guide[]): Prompt[] {
  return guides.map(({ id, title, summary }) => ({ name: id, title, description: summary }))
}

/** Throws `unknown_prompt`, with the nearest of all that are listed. */
export function getGuidePrompt(guides: readonly Guide[], name: string, listed: readonly Prompt[]): GetPromptResult {
  const guide = guides.find(({ id }) => id === name)
  if (guide === undefined) {
    const suggestions = nearestNames(
      name,
      listed.map((prompt) => prompt.name),
    )
    throw new SwitchboardError('unknown_prompt', `Unknown prompt: "${name}"`, {
      details: { prompt: name, suggestions },
    })
  }
  return {
    description: guide.summary,
    messages: [{ role: 'user', content: { type: 'text', text: guide.text } }],
  }
}
