/** One variable as an agent gets it. */
import { MASK } from '@switchboard/telemetry'
import type { DebugContext } from '../debug-host.ts'
import type { Variable } from '../engine/debug-session.ts'
import type { ShownVariable } from '../generated/types.ts'
import { formatCut, showValue } from '../snapshot/show-value.ts'

const VALUE_LENGTH = 2_000

export function showVariable(
  { host }: Pick<DebugContext, 'host'>,
  { name, value, type, reference, named, indexed }: Variable,
  maxLength = VALUE_LENGTH,
): ShownVariable {
  const { text, cut } = showValue(name, value, { maxLength, masking: host.masking })
  return {
    name,
    value: formatCut({ text, cut }),
    ...(type === undefined || type === '' ? {} : { type }),
    // A secret is not to be had in pieces either.
    ...(reference === 0 || text === MASK ? {} : { ref: reference }),
    ...(named === undefined ? {} : { named }),
    ...(indexed === undefined ? {} : { indexed }),
  }
}

/** `name=value ref=3`; the type where the value does not tell it. */
export function formatVariable({ name, value, ref }: ShownVariable): string {
  const handle = ref === undefined ? '' : ` ref=${ref}`
  return `${name === '' ? '' : `${name}=`}${value}${handle}`
}
