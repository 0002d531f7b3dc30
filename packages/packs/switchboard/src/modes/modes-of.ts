import type { ModesService, SwitchboardContext } from '../services.ts'

/** Without modes their tools are not listed, and no call reaches them. */
export function modesOf({ host }: SwitchboardContext): ModesService {
  const { modes } = host.services
  if (modes === undefined) throw new Error('There are no modes')
  return modes
}
