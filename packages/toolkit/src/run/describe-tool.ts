/** A declaration as agents get it listed. What a model must know is in the description, short; `_meta` has it whole. */
import type { JsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import { isRequirementName, REQUIREMENTS } from '../manifest/requirements.ts'
import type { ToolDeclaration } from '../manifest/tool-declaration.ts'
import { listSchema } from './listed-schema.ts'

/** Under this key of `_meta` stands everything that guides the use of a tool. */
export const GUIDANCE_META_KEY = 'switchboard/tool'

export function describeTool(declaration: ToolDeclaration, outputSchema?: JsonObject): Tool {
  const { name, input, safety } = declaration
  return {
    name,
    description: composeDescription(declaration),
    inputSchema: listSchema(input),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: safety.readOnly,
      // What changes nothing destroys nothing: that need not be in every list.
      ...(safety.readOnly ? {} : { destructiveHint: safety.destructive }),
      idempotentHint: safety.idempotent,
      openWorldHint: false,
    },
    _meta: { [GUIDANCE_META_KEY]: collectGuidance(declaration) },
  }
}

/**
 * `Summary. When to use it. Needs: … Next: …` Not its codes: an error that happens has its own hint, and every agent pays for
 * the length of the list.
 */
function composeDescription(declaration: ToolDeclaration): string {
  const { summary, listedDescription, whenToUse, next } = declaration
  const parts = [listedDescription ?? summary, whenToUse]
  // What is paused is a session.
  const requires = declaration.requires.filter((name, _, all) => name !== 'session' || !all.includes('paused'))
  if (requires.length > 0) parts.push(`Needs: ${requires.map(labelOf).join(', ')}`)
  if (next.length > 0) parts.push(`Next: ${next.join(', ')}`)
  return parts.flatMap((part) => (part === undefined ? [] : toSentence(part))).join(' ')
}

export function labelOf(requirement: string): string {
  return isRequirementName(requirement) ? REQUIREMENTS[requirement].label : requirement
}

export function toSentence(text: string): string {
  const trimmed = text.trim().replace(/\s+/g, ' ')
  return /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function collectGuidance(declaration: ToolDeclaration): JsonObject {
  const { category, result, timeoutMs, requires, errors, next, parameterHints, aliases } = declaration
  const retryable = errors.filter((error) => error.retryable).map(({ code }) => code)
  return {
    category,
    result,
    timeoutMs,
    ...(requires.length === 0 ? {} : { requires }),
    // The hints by their codes: every agent pays for the length of the list.
    ...(errors.length === 0 ? {} : { errors: Object.fromEntries(errors.map(({ code, hint }) => [code, hint])) }),
    ...(retryable.length === 0 ? {} : { retryable }),
    ...(next.length === 0 ? {} : { next }),
    ...(Object.keys(parameterHints).length === 0 ? {} : { parameterHints }),
    ...(aliases.length === 0 ? {} : { aliases }),
  }
}
