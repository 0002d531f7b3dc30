import { nearestName } from '@switchboard/base'
import type { ModeFiles, ModeRecord } from '@switchboard/daemon'
import { isInstanceId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'

/** Throws `invalid_arguments` for a window that never came up here, with the nearest one that did. */
export async function findInstance(files: ModeFiles, wanted: string): Promise<ModeRecord> {
  const known = await files.list()
  const record = known.find(({ instance }) => instance === wanted)
  if (record !== undefined) return record
  const nearest = nearestName(
    wanted,
    known.map(({ instance }) => instance),
  )
  const what = isInstanceId(wanted) ? `No window has the id ${wanted}.` : `"${wanted}" is no instance id.`
  const look = 'switchboard mode show lists those that came up within the last day.'
  throw new SwitchboardError('invalid_arguments', what, {
    hint: nearest === undefined ? look : `Did you mean "${nearest}"? ${look}`,
  })
}
