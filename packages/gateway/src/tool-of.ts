import type { JsonObject } from '@switchboard/protocol'

/** The tool that a call names; undefined for every other request. */
export function toolOf({
  method,
  params,
}: {
  readonly method?: string
  readonly params?: JsonObject
}): string | undefined {
  if (method !== 'tools/call') return undefined
  return typeof params?.name === 'string' ? params.name : undefined
}
