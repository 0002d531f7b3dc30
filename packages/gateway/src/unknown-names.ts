/** What a caller is told that asks for something by a name nobody has: the nearest name, or the next step. */
import { didYouMean, nearestNames } from '@switchboard/base'
import type { Provider } from '@switchboard/protocol'
import { createHeldError, SwitchboardError } from '@switchboard/protocol/errors'
import type { View } from './router/view.ts'

/** When to call again for a tool of a server that is starting. */
const STARTING_RETRY_MS = 1_000
/** Of those that are listed, in a message. */
const MAX_NAMED = 5
const MAX_QUOTED_URI = 1_000
/** A server may list ten thousand resources; to compare with all of them would keep everybody waiting. */
const MAX_COMPARED = 1_000

/** Why a tool is not there: it is held back, or nobody has it. */
export function createUnlistedToolError(view: View, name: string): SwitchboardError {
  const held = view.findHeld(name)
  return held === undefined ? createUnknownToolError(view, name) : createHeldError(held)
}

/**
 * With the nearest names that the profile lists, or with the server that is not there to list it. Of one that has never been up
 * nobody knows what tools it has: then the same call may succeed later.
 */
function createUnknownToolError(view: View, name: string): SwitchboardError {
  const unlisted = view.providers.filter((provider) => provider.catalog().tools.length === 0)
  const coming = unlisted.find((provider) => isPrefixed(name, provider) && isComing(provider))
  if (coming !== undefined) return createComingError(coming, name)
  const suggestions = nearestNames(
    name,
    [...view.tools, ...view.unlisted].map((tool) => tool.name),
  )
  const down = unlisted.find((provider) => isPrefixed(name, provider))
  const starting = unlisted.filter((provider) => provider.status().state === 'starting')
  const names = starting.map((provider) => `"${provider.name}"`).join(' and ')
  const hints = [
    down === undefined
      ? didYouMean(...suggestions)
      : `The server "${down.name}" lists no tools now: it is ${describeState(down)}.`,
    starting.length === 0 ? undefined : `${names} may have it, and is still starting: call again in a second.`,
  ].filter((hint) => hint !== undefined)
  return new SwitchboardError('unknown_tool', `Unknown tool "${name}"`, {
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
    ...(starting.length === 0 ? {} : { retryable: true, retryAfterMs: STARTING_RETRY_MS }),
    details: { tool: name, suggestions },
  })
}

/** With why, where that is known. */
function describeState(provider: Provider): string {
  const { state, reason } = provider.status()
  return typeof reason === 'string' ? `${state}: ${reason.replace(/\.$/, '')}` : state
}

/** It has never been up, and is expected to be. */
function isComing(provider: Provider): boolean {
  const { state } = provider.status()
  return state === 'starting' || state === 'backoff'
}

function createComingError(provider: Provider, tool: string): SwitchboardError {
  const { state, reason, nextAttemptInMs } = provider.status()
  const details = { tool, server: provider.name }
  if (state === 'starting')
    return new SwitchboardError('restart_in_progress', `The server "${provider.name}" is still starting`, {
      hint: 'Its tools are not known yet: call again in a second.',
      retryAfterMs: STARTING_RETRY_MS,
      details,
    })
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return new SwitchboardError('restart_failed', `The server "${provider.name}" could not be started${why}`, {
    ...(typeof nextAttemptInMs === 'number' ? { retryAfterMs: Math.ceil(nextAttemptInMs) } : {}),
    details,
  })
}

function isPrefixed(name: string, { name: provider, naming }: Provider): boolean {
  const prefix = naming?.prefix ?? provider
  return prefix !== false && name.startsWith(`${prefix}_`)
}

export function createUnknownPromptError(view: View, prompt: string): SwitchboardError {
  const suggestions = nearestNames(
    prompt,
    view.prompts.map(({ name }) => name),
  )
  const hint = didYouMean(...suggestions)
  return new SwitchboardError('unknown_prompt', `Unknown prompt "${prompt}"`, {
    ...(hint === undefined ? {} : { hint }),
    details: { prompt, suggestions },
  })
}

/** With the nearest that are listed, and with the way to ask one server for what no list holds. */
export function createUnknownResourceError(view: View, uri: string): SwitchboardError {
  const suggestions = nearestNames(
    uri,
    view.resources.slice(0, MAX_COMPARED).map((resource) => resource.uri),
  )
  const servers = view.withCapability('resources').map(({ name }) => name)
  const hint = [
    didYouMean(...suggestions) ?? '',
    servers.length === 0
      ? describeListed(view.resources.map((resource) => resource.uri))
      : `Use a listed URI, or "switchboard+<server>:<uri>" for one that is not listed; <server> is ${servers.join(' or ')}.`,
  ]
  const message = `Resource not found: "${uri.slice(0, MAX_QUOTED_URI)}"`
  return new SwitchboardError('unknown_resource', message, {
    hint: hint.filter((part) => part !== '').join(' '),
    details: { uri, suggestions },
  })
}

function describeListed(uris: readonly string[]): string {
  if (uris.length === 0) return 'No resource is listed here.'
  const rest = uris.length - MAX_NAMED
  const more = rest > 0 ? ` and ${rest} more, which resources/list names` : ''
  return `There ${uris.length === 1 ? 'is' : 'are'} ${uris.slice(0, MAX_NAMED).join(', ')}${more}.`
}
